/* All operations of F and D on numbers that NUMBERS holds. What comes out decides how long `run`
   takes. */
typedef unsigned long long bits;
typedef unsigned long word;

volatile bits numbers[][3] = {
#include NUMBERS
};
volatile bits seen;

int prepare(int input)
{
    /* Floating point is off at first. */
    __asm__ volatile("csrs mstatus, %0" ::"r"(0x6000));
    return input < 1;
}

static bits hash;

/* Each bit of a result changes some of the low ones of what follows. */
static void mix(bits result)
{
    hash = (hash ^ result ^ result >> 32) * 0x100000001b3 + 7;
    hash ^= hash >> 29;
}

#define LOST "ft0", "ft1", "ft2", "ft3", "memory"
#define LOADED "fld ft0, %1\n fld ft1, %2\n fld ft2, %3\n"

/* Into a floating-point register, all of it. */
#define FLOAT(text)                                                                                \
    {                                                                                              \
        bits out;                                                                                  \
        __asm__ volatile(LOADED text "\n fsd ft3, %0" : "=m"(out) : "m"(a), "m"(b), "m"(c) : LOST);\
        mix(out);                                                                                  \
    }
/* Into a general register. */
#define GENERAL(text)                                                                              \
    {                                                                                              \
        word out;                                                                                  \
        __asm__ volatile(LOADED text : "=r"(out) : "m"(a), "m"(b), "m"(c) : LOST);                 \
        mix(out);                                                                                  \
    }
/* From a general register. */
#define WHOLE(text)                                                                                \
    {                                                                                              \
        bits out;                                                                                  \
        __asm__ volatile(text "\n fsd ft3, %0" : "=m"(out) : "r"((word)a) : LOST);                 \
        mix(out);                                                                                  \
    }

#define EACH_MODE(text) \
    GENERAL(text) GENERAL(text ", rne") GENERAL(text ", rtz") GENERAL(text ", rdn")                \
    GENERAL(text ", rup") GENERAL(text ", rmm")

#define FORMAT(f)                                                                                  \
    FLOAT("fadd." f " ft3, ft0, ft1")                                                              \
    FLOAT("fadd." f " ft3, ft0, ft1, rne")                                                         \
    FLOAT("fsub." f " ft3, ft0, ft1")                                                              \
    FLOAT("fmul." f " ft3, ft0, ft1")                                                              \
    FLOAT("fdiv." f " ft3, ft0, ft1")                                                              \
    FLOAT("fsqrt." f " ft3, ft0")                                                                  \
    FLOAT("fmadd." f " ft3, ft0, ft1, ft2")                                                        \
    FLOAT("fmsub." f " ft3, ft0, ft1, ft2")                                                        \
    FLOAT("fnmadd." f " ft3, ft0, ft1, ft2")                                                       \
    FLOAT("fnmsub." f " ft3, ft0, ft1, ft2")                                                       \
    FLOAT("fsgnj." f " ft3, ft0, ft1")                                                             \
    FLOAT("fsgnjn." f " ft3, ft0, ft1")                                                            \
    FLOAT("fsgnjx." f " ft3, ft0, ft1")                                                            \
    FLOAT("fmin." f " ft3, ft0, ft1")                                                              \
    FLOAT("fmax." f " ft3, ft0, ft1")                                                              \
    GENERAL("feq." f " %0, ft0, ft1")                                                              \
    GENERAL("flt." f " %0, ft0, ft1")                                                              \
    GENERAL("fle." f " %0, ft0, ft1")                                                              \
    GENERAL("feq." f " %0, ft0, ft0")                                                              \
    GENERAL("fclass." f " %0, ft0")                                                                \
    EACH_MODE("fcvt.w." f " %0, ft0")                                                              \
    EACH_MODE("fcvt.wu." f " %0, ft0")                                                             \
    WHOLE("fcvt." f ".w ft3, %1")                                                                  \
    WHOLE("fcvt." f ".wu ft3, %1")

#define WIDE(f)                                                                                    \
    EACH_MODE("fcvt.l." f " %0, ft0")                                                              \
    EACH_MODE("fcvt.lu." f " %0, ft0")                                                             \
    WHOLE("fcvt." f ".l ft3, %1")                                                                  \
    WHOLE("fcvt." f ".lu ft3, %1")

void run(void)
{
    hash = 1;
    for (unsigned i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        bits a = numbers[i][0], b = numbers[i][1], c = numbers[i][2];
        FORMAT("s")
        FORMAT("d")
        FLOAT("fcvt.s.d ft3, ft0")
        FLOAT("fcvt.d.s ft3, ft0")
        GENERAL("fmv.x.w %0, ft0")
        WHOLE("fmv.w.x ft3, %1")
        FLOAT("flw ft3, %1")
        FLOAT("fsd ft0, %0\n fsw ft1, %0\n fld ft3, %0")
#if __riscv_xlen == 64
        WIDE("s")
        WIDE("d")
        GENERAL("fmv.x.d %0, ft0")
        WHOLE("fmv.d.x ft3, %1")
#endif
        for (unsigned rounds = (hash >> 20) & 63; rounds; rounds--) seen = rounds;
    }
}
