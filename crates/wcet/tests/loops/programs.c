/* Loops of every shape: so many rounds that a loop of 20 is a loop of 20, or a loop of millions. */
#ifndef ROUNDS
#define ROUNDS 20
#endif
#define STAYS __asm__ volatile("")

volatile int port;
int table[64];
static int large[ROUNDS];

int loop_cube(void)
{
    int sum = 0;
    for (int i = 0; i < ROUNDS; i++)
        for (int j = 0; j < ROUNDS; j++)
            for (int k = 0; k < ROUNDS; k++) {
                sum += i ^ k;
                STAYS;
            }
    return sum;
}

int loop_counts(void)
{
    for (int i = 0; i < ROUNDS * 100; i++)
        STAYS;
    return 0;
}

int loop_polls(void)
{
    int tries = 0;
    while (port == 0)
        if (++tries == ROUNDS * 100)
            return -1;
    return tries;
}

int loop_triangle(void)
{
    int sum = 0;
    for (int i = 0; i < ROUNDS; i++)
        for (int j = 0; j < i; j++) {
            sum += j;
            STAYS;
        }
    return sum;
}

int loop_walks(void)
{
    int sum = 0;
    for (int i = 0; i < ROUNDS; i++)
        large[i] = i;
    for (int round = 0; round < ROUNDS; round++)
        for (int *p = large; p != large + ROUNDS; p++)
            sum += *p;
    return sum;
}

int loop_stack(void)
{
    int local[50];
    for (int round = 0; round < ROUNDS; round++)
        for (int i = 0; i < 50; i++) {
            local[i] = round;
            STAYS;
        }
    return local[port & 31];
}

int loop_down(void)
{
    for (int i = ROUNDS * 100; i > 0; i -= 3)
        STAYS;
    return 0;
}

int loop_doubles(void)
{
    for (int round = 0; round < ROUNDS * 20; round++)
        for (unsigned i = 1; i < 1000; i *= 2)
            STAYS;
    return 0;
}

int loop_breaks(void)
{
    for (int i = 0; i < ROUNDS * 100; i++) {
        if (port == 7)
            break;
        if (port == i + 1)
            return i;
    }
    return 5;
}

int loop_two_steps(void)
{
    int sum = 0;
    for (int i = 0; i < ROUNDS * 50;) {
        i += table[sum & 63] ? 2 : 1;
        sum++;
    }
    return sum;
}

static int __attribute__((noinline)) add(const int *from, int count)
{
    int sum = 0;
    for (int i = 0; i < count; i++)
        sum += from[i];
    return sum;
}

int loop_calls(void)
{
    int sum = 0;
    for (int round = 0; round < ROUNDS; round++)
        sum += add(table, 64);
    return sum;
}

/* Where the counter is what it is compared with, the loop goes on. */
int meets(void)
{
    int met = ROUNDS * 50 + (port & 7);
    for (int i = 0; i < ROUNDS * 100; i++) {
        if (i == met)
            table[0] += port;
        STAYS;
    }
    return met;
}

/* The same downwards, where another number ends it later. */
volatile int left = ROUNDS * 100;
int passes(void)
{
    int met = (port & 7) - ROUNDS * 50;
    left = ROUNDS * 200;
    for (int i = 0; ; i--) {
        if (i == met && port == 7)
            return 1;
        if (--left == 0)
            return 0;
    }
}

/* The same where nothing bounds how long. */
int endless_meets(void)
{
    int met = ROUNDS * 50 + (port & 7);
    for (int i = 0; ; i++) {
        if (i == met && port == 7)
            return 1;
        if (--left == 0)
            return 0;
    }
}

void measure_all(void) {}
