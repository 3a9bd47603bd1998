/* Locks and unlocks: a pair that nobody disturbs, and one for which somebody has to let go. */
#include <camkes.h>
@header@
#include "measure.h"

/* A reading of the clock that is this much later than the one before was interrupted. */
#define GAP @gap@
#define RUNS ((@runs@ + 3) / 4)

static uint64_t asked, resumed, left, entered, done, contended;

void held_pairs(void)
{
    static struct path pairs;
    for (int round = 0; round < RUNS; round++) {
        disturb();
        uint64_t before = fusee_now();
        @lock@;
        @unlock@;
        count(&pairs, fusee_now() - before - 1);
    }
    print_path("lock.@name@.uncontended", &pairs);
}

void held_hold(void)
{
    @lock@;
    uint64_t last = fusee_now();
    for (;;) {
        uint64_t now = fusee_now();
        if (now - last > GAP) {
            resumed = now;
            break;
        }
        last = now;
    }
    contended = 1;
    disturb();
    left = fusee_now();
    @unlock@;
}

void held_touch(void)
{
    disturb();
    asked = fusee_now();
    @lock@;
    entered = fusee_now();
    @unlock@;
    done = fusee_now();
}

uint64_t held_last(int which)
{
    uint64_t was = contended;
    switch (which) {
    case 0:
        contended = 0;
        return was;
    case 1:
        /* From asking until the holder goes on, and from its letting go until the pair is done. */
        return (resumed - asked - 1) + (done - left - 2);
    default:
        return entered - left - 1;
    }
}
