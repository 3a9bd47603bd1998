    # Start, vector table, and the ways in and out.
    .section .text.start
    .globl _start
_start:
    la sp, top
    call boot
    la t0, vector
    addi t0, t0, 1
    csrw mtvec, t0
    la t0, context
    csrw mscratch, t0
    rdcycle t0
    beqz t0, 1f
    nop
1:  j leave

    .balign 256
    .option norvc
vector:
    j exception
    j vector
    j vector
    j vector
    j vector
    j vector
    j vector
    j timer
    .option rvc

exception:
    csrrw sp, mscratch, sp
    sd ra, 0(sp)
    sd a7, 8(sp)
    csrr t1, mcause
    addi t1, t1, -8
    bnez t1, stop
    mv s0, sp
    ld a0, 8(s0)
    la sp, top
    call handle
leave:
    csrr t0, mscratch
    mret

timer:
    csrrw sp, mscratch, sp
    sd ra, 0(sp)
    la sp, top
    call idle
    j leave

stop:
    j stop

    .section .rodata
    .globl length
length: .word LENGTH

    .bss
    .balign 16
context: .space 64
    .balign 16
    .space 1024
top:
