# A kernel of a page for one user program: `run` below page tables, calls, preemptions.
#
# Each trap takes the next word of `draws`, again from the first behind the last. Bit 0: whoever ran
# meanwhile has used all lines of data; bit 1: of code; bit 2: the address space was changed. The
# upper half is how many cycles later the timer interrupts, if it still does so (`preemptions`).

    .option arch, +zicsr, +zifencei
    .text
    .globl measure_all
measure_all:
    la t0, kept
    sw ra, 0(t0)
    sw sp, 4(t0)
    # Sv32: 4 MiB from 0x80000000, each page where it is, for the user as well.
    la t0, root
    la t1, leaf_table
    srli t2, t1, 2
    ori t2, t2, 1
    li t3, 2048
    add t0, t0, t3
    sw t2, 0(t0)
    li t0, 0x200000df
    li t2, 1024
1:  sw t0, 0(t1)
    addi t0, t0, 1024
    addi t1, t1, 4
    addi t2, t2, -1
    bnez t2, 1b
    la t0, root
    srli t0, t0, 12
    li t1, 0x80000000
    or t0, t0, t1
    csrw satp, t0
    la t0, trap
    csrw mtvec, t0
    li t0, 0x1880
    csrc mstatus, t0
    li t0, 0x80
    csrs mie, t0
    la t0, run
    csrw mepc, t0
    csrw mscratch, zero
    li t0, 0xf0014000
    sw zero, 4(t0)
    j away

    # What begins with a trap, until `mret`.
    .balign 4
trap:
    csrw mscratch, t0
    la t0, kept
    sw t1, 8(t0)
    sw t2, 12(t0)
    sw t3, 16(t0)
    csrr t1, mcause
    bltz t1, preempted
    .globl called
called:
    csrr t1, mepc
    addi t1, t1, 4
    csrw mepc, t1
    li t1, 2
    beq s11, t1, ended
    j away
    .globl preempted
preempted:
    nop
away:
    la t0, at
    lw t1, 0(t0)
    addi t2, t1, 4
    andi t2, t2, 255
    sw t2, 0(t0)
    la t0, draws
    add t0, t0, t1
    lw t3, 0(t0)
    # The next preemption.
    la t0, preemptions
    lw t1, 0(t0)
    li t2, 0xf0014000
    beqz t1, 1f
    addi t1, t1, -1
    sw t1, 0(t0)
    srli t0, t3, 16
    li t1, 0xf001bff8
    lw t1, 0(t1)
    add t1, t1, t0
    j 2f
1:  li t1, -1
2:  sw t1, 0(t2)
    andi t0, t3, 1
    beqz t0, 4f
    la t0, others
    li t1, 128
3:  lw t2, 0(t0)
    addi t0, t0, 32
    addi t1, t1, -1
    bnez t1, 3b
4:  andi t0, t3, 2
    beqz t0, 5f
    fence.i
5:  andi t0, t3, 4
    beqz t0, 6f
    csrr t0, satp
    csrw satp, t0
6:  la t0, kept
    lw t1, 8(t0)
    lw t2, 12(t0)
    lw t3, 16(t0)
    # A line that is fetched behind `mret` would be waited for at the expense of the user, whose it is
    # not: fetching does not get to the next one.
    .balign 32
    csrr t0, mscratch
    mret
    .rept 6
    nop
    .endr
ended:
    li t0, 0xf0014000
    li t1, -1
    sw t1, 0(t0)
    la t0, kept
    lw ra, 0(t0)
    lw sp, 4(t0)
    ret
    .rept 16
    nop
    .endr

    .data
    .balign 4
kept: .space 20
at:   .word 0

    .bss
    .balign 4096
    .globl root, leaf_table
root:       .space 4096
leaf_table: .space 4096
others:     .space 4096
