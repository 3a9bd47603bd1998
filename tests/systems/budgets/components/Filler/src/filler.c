/* Below all, so that not all that happens finds the core idle. */
#include "../../budgets.h"

static unsigned jobs;

int run(void)
{
    if (jobs++ / ROUNDS % 2 == 1) {
        spin(125000);
    }
    return 0;
}
