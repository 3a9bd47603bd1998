/* Scalar floating point of AArch64 on plain numbers that NUMBERS holds: doubles, singles, whole
   numbers. What comes out decides how long `run` takes. */
typedef unsigned long long bits;

volatile bits numbers[][4] = {
#include NUMBERS
};
volatile bits seen;

int prepare(int input)
{
    /* Floating point is off at first. */
    __asm__ volatile("msr cpacr_el1, %0\n isb" ::"r"(3ull << 20));
    return input < 1;
}

static bits hash;

/* Each bit of a result changes some of the low ones of what follows. */
static void mix(bits result)
{
    hash = (hash ^ result ^ result >> 32) * 0x100000001b3 + 7;
    hash ^= hash >> 29;
}

#define LOST "v0", "v1", "v2", "v3", "cc", "memory"
#define LOADED "ldr d0, %1\n ldr d1, %2\n ldr d2, %3\n"

/* Into a vector, the part above a number as well. */
#define FLOAT(text)                                                                                \
    {                                                                                              \
        bits out[2];                                                                               \
        __asm__ volatile("movi v3.16b, #255\n" LOADED text "\n str q3, %0"                         \
                         : "=m"(*(bits(*)[2])out)                                                  \
                         : "m"(a), "m"(b), "m"(c)                                                  \
                         : LOST);                                                                  \
        mix(out[0]);                                                                               \
        mix(out[1]);                                                                               \
    }
/* Into a general register. */
#define GENERAL(text)                                                                              \
    {                                                                                              \
        bits out;                                                                                  \
        __asm__ volatile(LOADED text : "=&r"(out) : "m"(a), "m"(b), "m"(c) : LOST);                \
        mix(out);                                                                                  \
    }
/* From a general register. */
#define WHOLE(text)                                                                                \
    {                                                                                              \
        bits out;                                                                                  \
        __asm__ volatile(text "\n str d3, %0" : "=m"(out) : "r"(whole) : LOST);                    \
        mix(out);                                                                                  \
    }

#define ASKED(comparison, condition) GENERAL(comparison "\n cset %0, " condition)
#define COMPARED(comparison)                                                                       \
    ASKED(comparison, "mi") ASKED(comparison, "eq") ASKED(comparison, "gt")                        \
    ASKED(comparison, "ge") ASKED(comparison, "vs") ASKED(comparison, "hi")                        \
    ASKED(comparison, "cc") ASKED(comparison, "le") ASKED(comparison, "ls")

#define TO_WHOLE(f, way)                                                                           \
    GENERAL("fcvt" way "s %w0, " f "0") GENERAL("fcvt" way "u %w0, " f "0")                        \
    GENERAL("fcvt" way "s %x0, " f "0") GENERAL("fcvt" way "u %x0, " f "0")

#define FORMAT(f)                                                                                  \
    FLOAT("fadd " f "3, " f "0, " f "1")                                                           \
    FLOAT("fsub " f "3, " f "0, " f "1")                                                           \
    FLOAT("fmul " f "3, " f "0, " f "1")                                                           \
    FLOAT("fdiv " f "3, " f "0, " f "1")                                                           \
    FLOAT("fabs " f "3, " f "0\n fsqrt " f "3, " f "3")                                            \
    FLOAT("fmadd " f "3, " f "0, " f "1, " f "2")                                                  \
    FLOAT("fmsub " f "3, " f "0, " f "1, " f "2")                                                  \
    FLOAT("fnmadd " f "3, " f "0, " f "1, " f "2")                                                 \
    FLOAT("fnmsub " f "3, " f "0, " f "1, " f "2")                                                 \
    FLOAT("fneg " f "3, " f "0")                                                                   \
    FLOAT("fmov " f "3, " f "1")                                                                   \
    FLOAT("fmin " f "3, " f "0, " f "1")                                                           \
    FLOAT("fmax " f "3, " f "0, " f "1")                                                           \
    FLOAT("fminnm " f "3, " f "0, " f "1")                                                         \
    FLOAT("fmaxnm " f "3, " f "0, " f "1")                                                         \
    FLOAT("fmov " f "3, #0.15625")                                                                 \
    FLOAT("fmov " f "3, #-31.0")                                                                   \
    FLOAT("fmov " f "3, #2.0")                                                                     \
    FLOAT("fmov " f "0, #1.0\n fadd " f "0, " f "0, " f "1\n fmov " f "3, " f "0")                 \
    COMPARED("fcmp " f "0, " f "1")                                                                \
    COMPARED("fcmp " f "1, " f "1")                                                                \
    COMPARED("fcmpe " f "0, #0.0")                                                                 \
    TO_WHOLE(f, "n") TO_WHOLE(f, "p") TO_WHOLE(f, "m") TO_WHOLE(f, "z") TO_WHOLE(f, "a")           \
    WHOLE("scvtf " f "3, %w1")                                                                     \
    WHOLE("ucvtf " f "3, %w1")                                                                     \
    WHOLE("scvtf " f "3, %x1")                                                                     \
    WHOLE("ucvtf " f "3, %x1")                                                                     \
    WHOLE("scvtf " f "3, wzr")

void run(void)
{
    hash = 1;
    for (unsigned i = 0; i < sizeof numbers / sizeof *numbers; i += 2) {
        bits a = numbers[i][0], b = numbers[i][1], c = numbers[i][2], whole = numbers[i][3];
        FORMAT("d")
        FLOAT("fcvt s3, d0")
        GENERAL("fmov %x0, d0")
        WHOLE("fmov d3, %x1")
        WHOLE("fmov d3, xzr")
        a = numbers[i + 1][0], b = numbers[i + 1][1], c = numbers[i + 1][2];
        FORMAT("s")
        FLOAT("fcvt d3, s0")
        GENERAL("fmov %w0, s0")
        WHOLE("fmov s3, %w1")
        for (unsigned rounds = (hash >> 20) & 63; rounds; rounds--) seen = rounds;
    }
}
