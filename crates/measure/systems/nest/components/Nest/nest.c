/* Eight mutexes, and what locking and unlocking them takes. */
#include <camkes.h>
#include "measure.h"

/* A reading of the clock that is this much later than the one before was interrupted. */
#define GAP @gap@
#define WAITERS 9

static uint64_t asked, resumed, left;

typedef int operation(void);

static operation *const lock[] = {a_lock, b_lock, c_lock, d_lock, e_lock, f_lock, g_lock, h_lock};
static operation *const unlock[] = {a_unlock, b_unlock, c_unlock, d_unlock, e_unlock, f_unlock, g_unlock, h_unlock};

void held_hold(int kind)
{
    volatile uint64_t *shared = (volatile uint64_t *)board;
    volatile uint64_t *nowhere = (volatile uint64_t *)8;
    for (int i = 0; i < 8; i++) {
        lock[i]();
    }
    shared[1] = 0;
    shared[0] = (uint64_t)kind;
    uint64_t last = fusee_now(), arrived;
    do {
        /* Whoever has come before this is seen in the reading of the clock behind it. */
        arrived = shared[1];
        uint64_t now = fusee_now();
        if (now - last > GAP) {
            resumed = now;
        }
        last = now;
    } while (arrived < WAITERS);
    int first = kind == 1 ? 7 : 0;
    operation *next = unlock[first];
    disturb();
    left = fusee_now();
    if (kind == 2) {
        (void)*nowhere;
    }
    next();
    for (int i = 7; i >= 0; i--) {
        if (i != first) {
            unlock[i]();
        }
    }
}

uint64_t held_touch(int which)
{
    operation *next = lock[which];
    disturb();
    asked = fusee_now();
    next();
    uint64_t taken = fusee_now() - left - 1;
    unlock[which]();
    return taken;
}

uint64_t held_waited(void)
{
    return resumed - asked - 1;
}
