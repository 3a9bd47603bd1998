/*
 * How many refused calls each stack remembers, for assembly and C; a power of two.
 */
#ifndef FUSEE_REFUSALS
#define FUSEE_REFUSALS 8

#ifdef __ASSEMBLER__
/*
 * Remembers a refused call: its error, and the address behind it or zero. The other three
 * registers are lost.
 */
.macro fusee_remember_refusal error, place, at, number, next
    lui \at, %tprel_hi(fusee_refusals)
    add \at, \at, tp, %tprel_add(fusee_refusals)
    addi \at, \at, %tprel_lo(fusee_refusals)
    lw \number, 0(\at)
    addi \next, \number, 1
    sw \next, 0(\at)
    andi \number, \number, FUSEE_REFUSALS - 1
    slli \number, \number, 4
    add \at, \at, \number
    sw \error, 16(\at)
#if __riscv_xlen == 64
    sd \place, 24(\at)
#else
    sw \place, 24(\at)
#endif
.endm
#endif
#endif
