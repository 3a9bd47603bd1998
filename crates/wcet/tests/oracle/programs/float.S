# Every instruction of F and D, and those of the status register.
.text
.global run
run:
.macro rounded f
    fadd.\f fa0, fa1, fa2
    fsub.\f fa0, fa1, fa2, rtz
    fmul.\f fa0, fa1, fa2
    fdiv.\f fa0, fa1, fa2
    fsqrt.\f fa0, fa1
    fmadd.\f fa0, fa1, fa2, fa3
    fmsub.\f fa0, fa1, fa2, fa3
    fnmsub.\f fa0, fa1, fa2, fa3
    fnmadd.\f fa0, fa1, fa2, fa3, rdn
    fsgnj.\f fa0, fa1, fa2
    fsgnjn.\f fa0, fa1, fa2
    fsgnjx.\f fa0, fa1, fa2
    fmin.\f fa0, fa1, fa2
    fmax.\f fa0, fa1, fa2
    feq.\f a0, fa1, fa2
    flt.\f a0, fa1, fa2
    fle.\f a0, fa1, fa2
    fclass.\f a0, fa1
    fcvt.w.\f a0, fa1
    fcvt.wu.\f a0, fa1
    fcvt.\f\().w fa0, a1
    fcvt.\f\().wu fa0, a1
.if __riscv_xlen == 64
    fcvt.l.\f a0, fa1
    fcvt.lu.\f a0, fa1
    fcvt.\f\().l fa0, a1
    fcvt.\f\().lu fa0, a1
.endif
.endm
    rounded s
    rounded d
    fcvt.s.d fa0, fa1
    fcvt.d.s fa0, fa1
    fmv.x.w a0, fa1
    fmv.w.x fa0, a1
.if __riscv_xlen == 64
    fmv.x.d a0, fa1
    fmv.d.x fa0, a1
.endif
.macro memory
    flw fa0, 4(a1)
    fld fa0, 8(a1)
    fsw fa0, 12(a1)
    fsd fa0, 16(a1)
    flw ft3, 20(sp)
    fld ft3, 24(sp)
    fsw ft3, 28(sp)
    fsd ft3, 32(sp)
.endm
.option norvc
    memory
.option rvc
    memory
    frcsr a0
    fsrm a0, a1
    fsflags a1
    ret
