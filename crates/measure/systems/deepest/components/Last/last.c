/* Waits inside until somebody has come, and faults. */
#include <camkes.h>
#include "measure.h"

#define RUNS @runs@
/* A reading of the clock that is this much later than the one before was interrupted. */
#define GAP @gap@

static volatile uint64_t faulted;
static struct path fault;

void up_go(void)
{
    volatile uint64_t *nowhere = (volatile uint64_t *)8;
    uint64_t last = fusee_now();
    for (;;) {
        uint64_t now = fusee_now();
        if (now - last > GAP) {
            break;
        }
        last = now;
    }
    disturb();
    faulted = fusee_now();
    (void)*nowhere;
}

void up_touch(void)
{
    uint64_t entered = fusee_now();
    if (faulted != 0 && fault.runs < RUNS) {
        count(&fault, entered - faulted - 1);
        if (fault.runs == RUNS) {
            print_path("fault.deepest@kind@", &fault);
        }
    }
    faulted = 0;
}
