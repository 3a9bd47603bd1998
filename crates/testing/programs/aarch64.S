// Entry of the test programs on AArch64: a stack, vector registers, the cycle counter, main.
    .section .text.start
    .globl _start
_start:
    adrp x0, stack_end
    add x0, x0, :lo12:stack_end
    mov sp, x0
    // Floating-point and vector instructions do not trap.
    mov x0, #(3 << 20)
    msr cpacr_el1, x0
    isb
    // The cycle counter runs; under -icount its cycles are instructions.
    mov x0, #0x45
    msr pmcr_el0, x0
    mov x0, #0x80000000
    msr pmcntenset_el0, x0
    isb
    bl measure_all
    // The machine is switched off.
    mov w0, #0x0008
    movk w0, #0x8400, lsl #16
    hvc #0
1:  b 1b

    // x0: function; returns the instructions from its first one to its return, both included.
    .globl count
count:
    stp x30, x19, [sp, #-16]!
    mrs x19, pmccntr_el0
    blr x0
    mrs x0, pmccntr_el0
    sub x0, x0, x19
    // The first mrs and the blr are not the function's.
    sub x0, x0, #2
    ldp x30, x19, [sp], #16
    ret

    .bss
    .balign 16
    .space 65536
stack_end:
