/* Lets `low` go on. */
#include "../../budgets.h"

/* Registers of a 16550, one byte each. */
enum { INTERRUPTS = 1, IDENTITY = 2 };
enum { TRANSMITTER_EMPTY = 0x02 };

static unsigned jobs;

int run(void)
{
    volatile uint8_t *device = (volatile uint8_t *)registers;
    unsigned what = jobs++ % ROUNDS;
    cold();
    if (is_quiet(what)) {
        return 0;
    }
    if (what == INTERRUPT) {
        device[INTERRUPTS] = TRANSMITTER_EMPTY;
        /* It comes meanwhile. */
        cold();
        device[INTERRUPTS] = 0;
        (void)device[IDENTITY];
    } else {
        go_emit();
    }
    cold();
    return 0;
}
