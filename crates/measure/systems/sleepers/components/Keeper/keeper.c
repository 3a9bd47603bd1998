/* All sleep here. */
#include <camkes.h>
#include <fusee/lock.h>
#include "measure.h"

/* A reading of the clock that is this much later than the one before was interrupted. */
#define GAP @gap@
#define SLEEPERS @longest@
#define ROUNDS (@runs@ / SLEEPERS)

static volatile unsigned arrived, sleeper[SLEEPERS];
static volatile uint64_t asked, left;
static unsigned holder;
static struct path depends, wakes;

/* Whoever is woken and runs at once sees how long that took. */
void sleeping_sleep(void)
{
    sleeper[arrived++] = fusee_thread_number();
    disturb();
    asked = fusee_now();
    fusee_depend(holder);
    uint64_t now = fusee_now();
    if (left != 0) {
        count(&wakes, now - left - 1);
        left = 0;
    }
}

static void wake(unsigned thread)
{
    disturb();
    uint64_t before = fusee_now();
    left = before;
    fusee_wake(thread);
    uint64_t now = fusee_now();
    if (left != 0) {
        count(&wakes, now - before - 1);
        left = 0;
    }
}

void sleeping_keep(void)
{
    holder = fusee_thread_number();
    uint64_t last = fusee_now();
    unsigned seen = 0;
    while (seen < SLEEPERS) {
        uint64_t now = fusee_now();
        if (now - last > GAP && arrived > seen) {
            count(&depends, now - asked - 1);
            seen = arrived;
        }
        last = now;
    }
    arrived = 0;
    static unsigned rounds;
    /* The most urgent first, which run at once; or last, and then they run together. */
    for (unsigned which = 0; which < SLEEPERS; which++) {
        wake(sleeper[rounds % 2 == 0 ? SLEEPERS - 1 - which : which]);
    }
    if (++rounds == ROUNDS) {
        print_path("sleep.depend@kind@", &depends);
        print_path("sleep.wake@kind@", &wakes);
    }
}
