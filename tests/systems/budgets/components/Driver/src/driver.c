/* Lets `low` go on once more, ends a job when the next one waits, and comes late. */
#include "../../budgets.h"

static uint8_t message[LONGEST];
static unsigned jobs;

int run(void)
{
    unsigned turn = jobs % TURNS, what = jobs / TURNS % ROUNDS;
    jobs++;
    if (turn == AFTER + 1 && what == WAIT) {
        cold();
        again_emit();
    }
    if (turn == AFTER && what == COMPLETE) {
        spin(52000);
    }
    /* `first` has got `inner` meanwhile, and nobody paid for it. */
    if (turn == AFTER && what == LATE) {
        cold();
        deep_nothing();
    }
    if (turn == AFTER && what == LATE_SEND) {
        cold();
        deep_touch(sizeof message, message);
    }
    cold();
    return 0;
}
