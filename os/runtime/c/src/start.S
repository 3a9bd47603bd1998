/*
 * What generated code shares below C: messages between registers and memory.
 *
 * The message area is 120 words that end where tp points. Its first six words
 * travel in a0 to a5.
 */
#include <fusee/refusals.h>

#if __riscv_xlen == 64
#define LOAD ld
#define STORE sd
#define WORD 8
#else
#define LOAD lw
#define STORE sw
#define WORD 4
#endif
#define AREA(n) (((n) - 120) * WORD)(tp)

    .section .text.fusee_invoke_area, "ax", @progbits
    .globl fusee_invoke_area
    .type fusee_invoke_area, @function
/* a0: words to send, a1: slot and method. Returns the number of words that came back. */
fusee_invoke_area:
    mv a6, a1
    addi t0, a0, -6
    bgtz t0, 1f
    li t0, 0
1:  li a7, 0
    LOAD a0, AREA(0)
    LOAD a1, AREA(1)
    LOAD a2, AREA(2)
    LOAD a3, AREA(3)
    LOAD a4, AREA(4)
    LOAD a5, AREA(5)
    ecall
    bnez a7, 2f
    STORE a0, AREA(0)
    STORE a1, AREA(1)
    STORE a2, AREA(2)
    STORE a3, AREA(3)
    STORE a4, AREA(4)
    STORE a5, AREA(5)
    addi a0, t0, 6
    ret
2:  mv a0, a7
    j fusee_stub_failed
    .size fusee_invoke_area, . - fusee_invoke_area

    .section .text.fusee_stub_failed, "ax", @progbits
    .globl fusee_stub_failed
    .type fusee_stub_failed, @function
/* The end of a stub whose invocation failed with a0: remembers why and where, counts, and returns zeros. */
fusee_stub_failed:
    lui t1, %tprel_hi(fusee_error)
    add t1, t1, tp, %tprel_add(fusee_error)
    sw a0, %tprel_lo(fusee_error)(t1)
    fusee_remember_refusal a0, ra, t1, a1, t0
    li a0, 0
    li a1, 0
    ret
    .size fusee_stub_failed, . - fusee_stub_failed

    .section .text.fusee_answer_area, "ax", @progbits
    .globl fusee_answer_area
    .type fusee_answer_area, @function
/* Ends an invocation with an answer of a0 words. */
fusee_answer_area:
    beqz a0, fusee_return_nothing
    addi t0, a0, -6
    bgtz t0, 1f
    li t0, 0
1:  LOAD a0, AREA(0)
    LOAD a1, AREA(1)
    LOAD a2, AREA(2)
    LOAD a3, AREA(3)
    LOAD a4, AREA(4)
    LOAD a5, AREA(5)
    li a7, 1
    ecall
    ebreak
    .size fusee_answer_area, . - fusee_answer_area

    .section .text.fusee_return_nothing, "ax", @progbits
    .globl fusee_return_nothing
    .type fusee_return_nothing, @function
/* Ends an invocation without an answer: the method does not exist or the message is too short. */
fusee_return_nothing:
    li a0, 0
    li a1, 0
    li a2, 0
    li a3, 0
    li a4, 0
    li a5, 0
    li t0, 0
    li a7, 1
    ecall
    ebreak
    .size fusee_return_nothing, . - fusee_return_nothing

    .section .text.fusee_compute, "ax", @progbits
    .globl fusee_compute
    .type fusee_compute, @function
#ifdef FUSEE_CYCLES
/*
 * Rounds of eight cycles each: instructions of one cycle, and a jump back that takes
 * FUSEE_TURN_CYCLES. What is around them, with caches that hold nothing of it, is left out.
 */
    .option push
    .option norvc
    .balign 64
fusee_compute:
    addi a0, a0, -FUSEE_CYCLES
    srai a0, a0, 3
1:  addi a0, a0, -1
    .rept 7 - FUSEE_TURN_CYCLES
    nop
    .endr
    bgtz a0, 1b
    ret
    .option pop
#else
/* 1 (the call) + 3 + (1 if the rest is even) + 2 for each two of the rest + 1 = a0. */
fusee_compute:
    addi a0, a0, -6
    andi t0, a0, 1
    bnez t0, 1f
    nop
1:  addi a0, a0, -2
    bgtz a0, 1b
    ret
#endif
    .size fusee_compute, . - fusee_compute

/*
 * The calls of this stack that were answered with an error: how many, and of each of the
 * last ones its error and behind which instruction it was made, in a ring. The host reads
 * it after a run.
 */
    .section .tbss.fusee_refusals, "awT", @nobits
    .globl fusee_refusals
    .type fusee_refusals, @object
    .size fusee_refusals, 16 + 16 * FUSEE_REFUSALS
    .balign 16
fusee_refusals:
    .zero 16 + 16 * FUSEE_REFUSALS

    .section .tbss.fusee_error, "awT", @nobits
    .globl fusee_error
    .type fusee_error, @object
    .size fusee_error, 4
    .balign 4
fusee_error:
    .zero 4
