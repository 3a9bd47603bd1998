/* setjmp and longjmp as C libraries have them, without floating-point registers. */
    .text
    .balign 4
    .global setjmp
    .type setjmp, %function
    .global longjmp
    .type longjmp, %function

#if defined(__riscv)
#if __riscv_xlen == 64
#define STORE sd
#define LOAD ld
#define SIZE 8
#else
#define STORE sw
#define LOAD lw
#define SIZE 4
#endif
#define ALL(OPERATION) \
    OPERATION ra, 0*SIZE(a0); OPERATION sp, 1*SIZE(a0); OPERATION s0, 2*SIZE(a0); \
    OPERATION s1, 3*SIZE(a0); OPERATION s2, 4*SIZE(a0); OPERATION s3, 5*SIZE(a0); \
    OPERATION s4, 6*SIZE(a0); OPERATION s5, 7*SIZE(a0); OPERATION s6, 8*SIZE(a0); \
    OPERATION s7, 9*SIZE(a0); OPERATION s8, 10*SIZE(a0); OPERATION s9, 11*SIZE(a0); \
    OPERATION s10, 12*SIZE(a0); OPERATION s11, 13*SIZE(a0)
setjmp:
    ALL(STORE)
    li a0, 0
    ret
    .size setjmp, .-setjmp
longjmp:
    ALL(LOAD)
    seqz a0, a1
    add a0, a0, a1
    ret
    .size longjmp, .-longjmp
#elif defined(__aarch64__)
setjmp:
    stp x19, x20, [x0, #0]
    stp x21, x22, [x0, #16]
    stp x23, x24, [x0, #32]
    stp x25, x26, [x0, #48]
    stp x27, x28, [x0, #64]
    stp x29, x30, [x0, #80]
    mov x16, sp
    str x16, [x0, #96]
    mov w0, #0
    ret
    .size setjmp, .-setjmp
longjmp:
    ldp x19, x20, [x0, #0]
    ldp x21, x22, [x0, #16]
    ldp x23, x24, [x0, #32]
    ldp x25, x26, [x0, #48]
    ldp x27, x28, [x0, #64]
    ldp x29, x30, [x0, #80]
    ldr x16, [x0, #96]
    mov sp, x16
    cmp w1, #0
    cinc w0, w1, eq
    ret
    .size longjmp, .-longjmp
#else
setjmp:
    mov ip, sp
    stmia r0, {r4-r11, ip, lr}
    mov r0, #0
    bx lr
    .size setjmp, .-setjmp
longjmp:
    ldmia r0, {r4-r11, ip, lr}
    mov sp, ip
    movs r0, r1
    moveq r0, #1
    bx lr
    .size longjmp, .-longjmp
#endif
