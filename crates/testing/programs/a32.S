@ Entry of the test programs on A32: a stack, vector registers, the cycle counter, main.
    .section .text.start
    .arm
    .fpu neon
    .globl _start
_start:
    ldr sp, =stack_end
    @ Floating-point and vector instructions do not trap.
    mrc p15, 0, r0, c1, c0, 2
    orr r0, r0, #(15 << 20)
    mcr p15, 0, r0, c1, c0, 2
    isb
    mov r0, #0x40000000
    vmsr fpexc, r0
    @ The cycle counter runs; under -icount its cycles are instructions.
    mov r0, #5
    mcr p15, 0, r0, c9, c12, 0
    mov r0, #0x80000000
    mcr p15, 0, r0, c9, c12, 1
    isb
    bl measure_all
    @ The machine is switched off.
    movw r0, #0x0008
    movt r0, #0x8400
    hvc #0
1:  b 1b

    @ r0: function; returns the instructions from its first one to its return, both included.
    .globl count
    .type count, %function
count:
    push {r4, lr}
    mrc p15, 0, r4, c9, c13, 0
    blx r0
    mrc p15, 0, r0, c9, c13, 0
    sub r0, r0, r4
    @ The first mrc and the blx are not the function's.
    sub r0, r0, #2
    pop {r4, pc}
    .ltorg

    .bss
    .balign 16
    .space 65536
stack_end:
