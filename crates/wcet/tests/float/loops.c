/* Loops that floating-point numbers end. */
volatile unsigned seen;
volatile double step = 0.75;

int prepare(int input)
{
    /* Floating point is off at first. */
#ifdef __aarch64__
    __asm__ volatile("msr cpacr_el1, %0\n isb" ::"r"(3ull << 20));
#else
    __asm__ volatile("csrs mstatus, %0" ::"r"(0x6000));
#endif
    return input < 1;
}

__attribute__((noinline)) int of_constants(void)
{
    int rounds = 0;
    for (double x = 0; x < 4; x += 1) seen = ++rounds;
    return rounds;
}

/* Of a number in memory, which may be another one by then. */
__attribute__((noinline)) int of_input(void)
{
    int rounds = 0;
    for (double x = step; x < 4; x += 1) seen = ++rounds;
    return rounds;
}

void run(void)
{
    if (of_constants() + of_input() > 90) return;
    for (float x = 100; x > 0.1f; x /= 3) seen++;
    for (double x = -3; x * x > 0.5; x += step) seen++;
    for (double sum = 0, i = 1; sum < 2.9; sum += 1 / i, i++) seen += (unsigned)sum;
    for (int i = 0; (float)i / 8 <= 2.5f; i++) seen += i;
    double root = 2;
    while (root * root - 2 > 1e-12) root = (root + 2 / root) / 2, seen++;
}
