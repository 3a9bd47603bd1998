/* How long a job runs is read from memory, so nothing proves it. */
static volatile int jobs;
static volatile int rounds = 100000;

int run(void) {
    if (++jobs % 4 == 3) {
        for (volatile int round = 0; round < rounds; round++) {
        }
    }
    return 0;
}
