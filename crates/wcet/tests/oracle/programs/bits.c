/* Loops that end by minima, counts of bits, rotations and single bits. */
static unsigned seed;
volatile unsigned outcome;

#define LESS(a, b) ((a) < (b) ? (a) : (b))
#define MORE(a, b) ((a) > (b) ? (a) : (b))

__attribute__((noinline)) static unsigned clamped(int n)
{
    unsigned sum = 0;
    for (int i = 0; i < LESS(MORE(n, 3), 20); i++)
        sum += i ^ seed;
    return sum;
}

__attribute__((noinline)) static unsigned ones(unsigned n)
{
    unsigned sum = 0;
    for (int i = __builtin_popcount(n) + 2; i > 0; i--)
        sum = (sum << 5 | sum >> 27) + i;
    return sum;
}

__attribute__((noinline)) static unsigned zeros(unsigned n)
{
    unsigned sum = 0;
    for (int i = 0; i < __builtin_clz(n | 1) + 2; i++)
        sum += n >> (i & 31) & 1 ? ~n & sum : n;
    for (int i = 0; i < __builtin_ctz(n | 0x8000) + 2; i++)
        sum ^= 1u << i;
    return sum;
}

int prepare(int input)
{
    seed = input * 0x9e3779b9u;
    return input < 4;
}

void run(void)
{
    outcome = clamped((int)seed) + ones(seed) + zeros(seed >> 7) + (signed char)seed;
}
