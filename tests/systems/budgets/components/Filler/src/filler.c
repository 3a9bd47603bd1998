/* Below all, so that not all that happens finds the core idle. */
#include "../../budgets.h"

static unsigned jobs;

int run(void)
{
    unsigned what = jobs % ROUNDS;
    if (what == REVIVE_BUSY) {
        /* Until the next round's `second`. */
        spin(390000);
    } else if (jobs / ROUNDS % 2 == 1 && what != REVIVE) {
        spin(125000);
    }
    jobs++;
    return 0;
}
