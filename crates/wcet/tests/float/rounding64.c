/* A sum that is rounded away from 0, or a number so small that it may be taken for 0, where the
   control register says so: then `run` is longer. */
volatile double one = 1, small = 1e-30, least = 0x1p-1022, half = 0.5;
volatile unsigned seen;

#define CONTROL(bits) __asm__ volatile("msr fpcr, %0" ::"r"(bits))

int prepare(int input)
{
    __asm__ volatile("msr cpacr_el1, %0\n isb" ::"r"(3ull << 20));
    CONTROL(ZEROES ? 1ull << 24 : 0ull);
    return input < 1;
}

void run(void)
{
    if (!ZEROES) CONTROL(1ull << 22);
    unsigned rounds = ZEROES ? (least * half > 0 ? 5 : 50) : (one + small > 1 ? 50 : 5);
    for (; rounds; rounds--) seen = rounds;
}
