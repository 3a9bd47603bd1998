/* A bank of filters over 32 samples, in floating point that functions emulate. */
typedef unsigned number;

static number seed;
static number samples[64], taps[32], first[64], second[64], mixed[64];
int out;

/* A number is a sign, an exponent of 8 bits and a fraction of 23, as is usual; zero is all zeros. */
static __attribute__((noinline)) number pack(number sign, int exponent, number fraction)
{
    if (!fraction) return 0;
    if (fraction >= 1u << 24) fraction >>= 1, exponent++;
    for (int by = 16; by; by >>= 1)
        if (fraction < 1u << (24 - by)) fraction <<= by, exponent -= by;
    if (exponent <= 0) return 0;
    if (exponent > 254) exponent = 254;
    return sign | (number)exponent << 23 | (fraction & 0x7fffff);
}

static __attribute__((noinline)) number plus(number a, number b)
{
    int ea = a >> 23 & 255, eb = b >> 23 & 255;
    if (!ea) return b;
    if (!eb) return a;
    if (ea < eb) {
        number t = a; a = b; b = t;
        int e = ea; ea = eb; eb = e;
    }
    number fa = (a & 0x7fffff) | 1 << 23, fb = (b & 0x7fffff) | 1 << 23;
    if (ea - eb > 24) return a;
    fb >>= ea - eb;
    if ((a ^ b) >> 31) return fa >= fb ? pack(a & 1u << 31, ea, fa - fb) : pack(b & 1u << 31, ea, fb - fa);
    return pack(a & 1u << 31, ea, fa + fb);
}

static __attribute__((noinline)) number times(number a, number b)
{
    int ea = a >> 23 & 255, eb = b >> 23 & 255;
    if (!ea || !eb) return 0;
    number fa = ((a & 0x7fffff) | 1 << 23) >> 8, fb = ((b & 0x7fffff) | 1 << 23) >> 8;
    return pack((a ^ b) & 1u << 31, ea + eb - 127, fa * fb >> 7);
}

static number next(void)
{
    seed = seed * 1103515245 + 12345;
    return (seed & 0x807fffff) | (120 + (seed >> 8 & 7)) << 23;
}

static void filter(number *to, const number *from)
{
    for (int i = 32; i < 64; i++) {
        number sum = 0;
        for (int k = 0; k < 32; k++) sum = plus(sum, times(from[i - k], taps[k]));
        to[i] = sum;
    }
}

void alone_filters(int n)
{
    seed = n;
    for (int i = 32; i < 64; i++) samples[i] = next();
    for (int channel = 0; channel < 2; channel++) {
        for (int k = 0; k < 32; k++) taps[k] = next();
        filter(first, samples);
        for (int i = 32; i < 64; i++)
            if (i % 8) first[i] = 0;
        filter(second, first);
        for (int i = 32; i < 64; i++) mixed[i] = plus(mixed[i], second[i]);
    }
    out = (int)mixed[63];
}

/* The bits of 1, 2 and 4, and of what lies halfway to the next of them. */
#define POWER(n) ((127u + (n)) << 23)
#define HALFWAY(n) (POWER(n) | 1u << 22)
#define FROM_1_TO_4(x) for (number x = POWER(0); x < POWER(2); x = times(x, HALFWAY(0)))

/* All of its numbers are known, and none of its counters grows by what is added to it. */
number single_grid(void)
{
    number sum = 0;
    FROM_1_TO_4(a) FROM_1_TO_4(b) FROM_1_TO_4(c) FROM_1_TO_4(d) FROM_1_TO_4(e) FROM_1_TO_4(f)
        sum = plus(sum, times(a, times(b, times(c, times(d, times(e, f))))));
    return sum;
}
