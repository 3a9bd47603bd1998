/* Keeps its mutex until somebody has come for it, and remembers the times. */
#include <camkes.h>
#include "measure.h"

/* A reading of the clock that is this much later than the one before was interrupted. */
#define GAP @gap@

static uint64_t asked, resumed, left, entered, contended;

void held_hold(void)
{
    m_lock();
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
    m_unlock();
}

void held_touch(void)
{
    disturb();
    asked = fusee_now();
    m_lock();
    entered = fusee_now();
    m_unlock();
}

uint64_t held_last(int which)
{
    uint64_t was = contended;
    switch (which) {
    case 0:
        contended = 0;
        return was;
    case 1:
        return resumed - asked - 1;
    default:
        return entered - left - 1;
    }
}
