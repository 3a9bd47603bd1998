# Entry of the test programs on the board: as start.S, but each run has cold caches.
    .section .text.start
    .globl _start
_start:
    .option push
    .option norelax
    la gp, __global_pointer$
    .option pop
    la sp, stack_end
    call measure_all
    li t0, 0xf0020000
    li t1, 0x5555
    sw t1, 0(t0)
1:  j 1b
    .balign 64

    # a0: function; runs it with caches that hold nothing of it; always returns 0.
    .globl count
count:
    addi sp, sp, -16
    sw ra, 0(sp)
#ifndef WARM
    la t0, other
    li t1, 4096
    add t1, t1, t0
1:  lw t2, 0(t0)
    addi t0, t0, 32
    bne t0, t1, 1b
    # fence.i, which the instruction set of the command line need not have.
    .word 0x0000100f
#endif
    jalr a0
    lw ra, 0(sp)
    addi sp, sp, 16
    li a0, 0
    ret
    # What is fetched the wrong way behind the return is code as well, and not what fills up a section.
    .rept 16
    nop
    .endr

    .bss
    .balign 4096
other:
    .space 4096
    .balign 16
    .space 65536
    .globl stack_end
stack_end:
