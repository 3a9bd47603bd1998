#include <camkes.h>
#include <fusee/ready.h>

/* What is less than a decision takes: a dispatch for so short would come too late, for ever. */
#define LEAST 10000

static uint64_t urgency(size_t thread)
{
    return fusee_threads[thread].priority;
}

/* For how long all threads have run. */
static uint64_t ran(void)
{
    uint64_t sum = 0;
    for (size_t thread = 0; thread < FUSEE_THREADS; thread++) {
        sum += fusee_heard[thread].ran;
    }
    return sum;
}

static uint64_t earlier(uint64_t one, uint64_t other)
{
    return one < other ? one : other;
}

int run(void)
{
    struct fusee_event event;
    uint64_t filled = fusee_now() + every; /* when the capacity is filled up next */
    uint64_t before = 0;                   /* what had run when it was last */
    for (;;) {
        fusee_hear();
        uint64_t now = fusee_now();
        for (; filled <= now; filled += every) {
            before = ran();
        }
        uint64_t used = ran() - before;
        if (used + LEAST <= capacity) {
            uint64_t end = earlier(filled, now + (capacity - used));
            fusee_run(fusee_first(urgency), earlier(end, fusee_next_release(look)));
        } else if (fusee_receive(&event, filled)) {
            fusee_note(&event);
        }
    }
}
