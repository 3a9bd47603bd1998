# Each short instruction of Zcb, and behind it the long one that it stands for.
    .macro pair short, long
    \short
    .option push
    .option norvc
    \long
    .option pop
    .endm
    pair "c.lbu a0, 0(a1)", "lbu a0, 0(a1)"
    pair "c.lbu s0, 3(a5)", "lbu s0, 3(a5)"
    pair "c.lbu a0, 1(s1)", "lbu a0, 1(s1)"
    pair "c.lbu a0, 2(s1)", "lbu a0, 2(s1)"
    pair "c.lhu a2, 0(a3)", "lhu a2, 0(a3)"
    pair "c.lhu a2, 2(a3)", "lhu a2, 2(a3)"
    pair "c.lh a4, 0(s0)", "lh a4, 0(s0)"
    pair "c.lh a4, 2(s0)", "lh a4, 2(s0)"
    pair "c.sb a0, 0(a1)", "sb a0, 0(a1)"
    pair "c.sb a5, 1(a1)", "sb a5, 1(a1)"
    pair "c.sb s1, 3(a1)", "sb s1, 3(a1)"
    pair "c.sh a0, 0(a1)", "sh a0, 0(a1)"
    pair "c.sh s1, 2(a5)", "sh s1, 2(a5)"
    pair "c.zext.b a0", "andi a0, a0, 255"
    pair "c.sext.b a1", "sext.b a1, a1"
    pair "c.zext.h s0", "zext.h s0, s0"
    pair "c.sext.h s1", "sext.h s1, s1"
    pair "c.not a4", "not a4, a4"
    pair "c.mul a0, a5", "mul a0, a0, a5"
#if __riscv_xlen == 64
    pair "c.zext.w a3", "zext.w a3, a3"
#endif
