/* Keeps its caller inside until somebody has come, and remembers the times. */
#include <camkes.h>
#include "measure.h"

/* A reading of the clock that is this much later than the one before was interrupted. */
#define GAP @gap@

static uint64_t resumed, left, entered, contended;

void held_hold(void)
{
    disturb();
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
}

void held_touch(void)
{
    entered = fusee_now();
}

uint64_t held_last(int which)
{
    uint64_t was = contended;
    switch (which) {
    case 0:
        contended = 0;
        return was;
    case 1:
        return resumed;
    case 2:
        return left;
    default:
        return entered;
    }
}
