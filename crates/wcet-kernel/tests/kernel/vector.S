    # Start, vector table, and the ways in and out.
    .section .text.start
    .globl _start
_start:
    la sp, top
0:  rdtime t0
    beqz t0, 0b
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
    j vector
    j vector
    j vector
    j external
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
    addi sp, sp, -16
    call idle
    j leave

    # Woken in vain it sleeps again, and takes no more of the stack for that.
external:
    csrrw sp, mscratch, sp
    sd ra, 0(sp)
doze:
    la sp, top
    wfi
    csrr t1, mip
    beqz t1, doze
    addi sp, sp, -32
    sd t1, 0(sp)
    rdcycle t1
    beqz t1, doze
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
