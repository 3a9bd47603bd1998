/*
 * Proportional shares: whoever has run for the least time, for its weight, is next. A thread's
 * weight is its priority. Who has waited begins where the others are: nobody saves up.
 */
#include <camkes.h>
#include <fusee/ready.h>

/* How long one decision holds, in nanoseconds. */
#define QUANTUM 500000

/* What a thread is taken to have had while it waited, and since which turn it is ready. */
static uint64_t passed[FUSEE_THREADS];
static uint64_t since[FUSEE_THREADS];

/* What it has had for its weight. */
static uint64_t share(size_t thread)
{
    uint64_t weight = FUSEE_TOP_PRIORITY - fusee_threads[thread].priority;
    return passed[thread] + fusee_heard[thread].ran / weight;
}

/* Whoever became ready begins where those are that were. */
static void begin(size_t thread, uint64_t least)
{
    if (since[thread] != fusee_heard[thread].turn && share(thread) < least) {
        passed[thread] += least - share(thread);
    }
    since[thread] = fusee_heard[thread].turn;
}

int run(void)
{
    uint64_t least = 0;
    for (;;) {
        fusee_hear();
        for (size_t thread = 0; thread < FUSEE_THREADS; thread++) {
            begin(thread, least);
        }
        size_t next = fusee_first(share);
        least = share(next);
        fusee_run(next, fusee_now() + QUANTUM);
    }
}
