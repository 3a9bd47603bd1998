# Entry of the test programs: a stack, the global pointer, main.
#ifdef __riscv_xlen
#if __riscv_xlen == 64
#define SAVE sd
#define RESTORE ld
#else
#define SAVE sw
#define RESTORE lw
#endif
#endif
    # The machine starts at the first byte, and linkers put sections of this name first.
    .section .text.unlikely, "ax"
    .globl _start
_start:
    .option push
    .option norelax
    la gp, __global_pointer$
    .option pop
    la sp, stack_end
    call measure_all
    # QEMU's test device: the machine is switched off.
    li t0, 0x100000
    li t1, 0x5555
    sw t1, 0(t0)
1:  j 1b

    # a0: function; returns the instructions from its first one to its return, both included.
    .globl count
count:
    addi sp, sp, -16
    SAVE ra, 0(sp)
    SAVE s0, 8(sp)
    .option push
    .option arch, +zicsr
    csrr s0, minstret
    jalr a0
    csrr a0, minstret
    .option pop
    sub a0, a0, s0
    # The first csrr and the jalr are not the function's.
    addi a0, a0, -2
    RESTORE ra, 0(sp)
    RESTORE s0, 8(sp)
    addi sp, sp, 16
    ret

    .bss
    .balign 16
    .space 65536
stack_end:
