/* Floating point in the ways of compilers: constants, memory, conversions, comparisons, calls, roots. */
#define LENGTH 24

float samples[LENGTH];
double sums[LENGTH];
volatile int outcome;

#ifdef __riscv
static void enable(void) { __asm__ volatile("csrs mstatus, %0" : : "r"(0x6000)); }
#else
static void enable(void) {}
#endif

__attribute__((noinline)) static double mean(const float *values, int count)
{
    double sum = 0.0;
    for (int i = 0; i < count; i++)
        sum += values[i] * 1.5f;
    return count > 0 ? sum / count : -sum;
}

__attribute__((noinline)) static int steps(double value)
{
    int rounds = 0;
    for (int i = 0; i < 40; i++) {
        if (value < 1.0)
            value = value * 3.0 + 0.25;
        else
            rounds++;
        value = __builtin_fabs(value) - 0.125;
        if (value == 0.5)
            break;
    }
    return rounds;
}

__attribute__((noinline)) static void scale(float factor, unsigned seed)
{
    for (int i = 0; i < LENGTH; i++) {
        samples[i] = (float)(int)(seed >> (i & 15)) * factor;
        sums[i] = (double)samples[i] - (double)(unsigned)(seed + i);
    }
}

static unsigned seed;

int prepare(int input)
{
    enable();
    seed = input * 7;
    return input < 4;
}

void run(void)
{
    scale(seed > 9 ? 0.5f : -2.0f, seed);
    double middle = mean(samples, LENGTH);
    float small = (float)middle;
    outcome = steps(middle) + (int)small + (int)sums[3] + (small <= samples[1]);
}
