# Code of which nothing is known but what facts say. Every instruction has 4 bytes.
    .option norvc
    .text

    .globl counts
    .type counts, @function
counts:
    nop
1:  lw t0, 0(a0)
    nop
    bnez t0, 1b
    ret
    .size counts, .-counts

    .globl deep
    .type deep, @function
deep:
    addi sp, sp, -16
    sd ra, 8(sp)
    lw t0, 0(a0)
    beqz t0, 1f
    jal deep
1:  ld ra, 8(sp)
    addi sp, sp, 16
    ret
    .size deep, .-deep

    .globl twice
    .type twice, @function
twice:
    addi sp, sp, -16
    sd ra, 8(sp)
    lw t0, 0(a0)
    beqz t0, 1f
    jal twice
    jal twice
    j 2f
1:  nop
    nop
    nop
2:  ld ra, 8(sp)
    ret
    .size twice, .-twice

    .globl triangle
    .type triangle, @function
triangle:
    nop
1:  nop
2:  lw t0, 0(a0)
    nop
    bnez t0, 2b
    lw t1, 4(a0)
    bnez t1, 1b
    ret
    .size triangle, .-triangle

    .globl asks
    .type asks, @function
asks:
    nop
    ecall
    ret
    .size asks, .-asks

    .globl leaf
    .type leaf, @function
leaf:
    nop
    ret
    .size leaf, .-leaf

    .globl other_leaf
    .type other_leaf, @function
other_leaf:
    nop
    nop
    ret
    .size other_leaf, .-other_leaf

    .globl calls_unknown
    .type calls_unknown, @function
calls_unknown:
    addi sp, sp, -16
    sd ra, 8(sp)
    ld t0, 0(a0)
    jalr t0
    ld ra, 8(sp)
    addi sp, sp, 16
    ret
    .size calls_unknown, .-calls_unknown

    .globl calls_it
    .type calls_it, @function
calls_it:
    addi sp, sp, -16
    sd ra, 8(sp)
    lw t0, 0(a0)
    beqz t0, 1f
    jal leaf
1:  ld ra, 8(sp)
    addi sp, sp, 16
    ret
    .size calls_it, .-calls_it

    .globl measure_all
measure_all:
    ret
