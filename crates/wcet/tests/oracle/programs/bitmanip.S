# Every instruction of Zba, Zbb and Zbs.
.text
.global run
run:
    sh1add a0, a1, a2
    sh2add a0, a1, a2
    sh3add a0, a1, a2
    andn a0, a1, a2
    orn a0, a1, a2
    xnor a0, a1, a2
    clz a0, a1
    ctz a0, a1
    cpop a0, a1
    max a0, a1, a2
    maxu a0, a1, a2
    min a0, a1, a2
    minu a0, a1, a2
    sext.b a0, a1
    sext.h a0, a1
    zext.h a0, a1
    rol a0, a1, a2
    ror a0, a1, a2
    rori a0, a1, 13
    orc.b a0, a1
    rev8 a0, a1
    bclr a0, a1, a2
    bclri a0, a1, 17
    bext a0, a1, a2
    bexti a0, a1, 17
    binv a0, a1, a2
    binvi a0, a1, 17
    bset a0, a1, a2
    bseti a0, a1, 17
.if __riscv_xlen == 64
    add.uw a0, a1, a2
    sh1add.uw a0, a1, a2
    sh2add.uw a0, a1, a2
    sh3add.uw a0, a1, a2
    slli.uw a0, a1, 41
    clzw a0, a1
    ctzw a0, a1
    cpopw a0, a1
    rolw a0, a1, a2
    rorw a0, a1, a2
    roriw a0, a1, 13
    rori a0, a1, 45
    bclri a0, a1, 49
    bexti a0, a1, 49
    binvi a0, a1, 49
    bseti a0, a1, 49
.endif
    ret
