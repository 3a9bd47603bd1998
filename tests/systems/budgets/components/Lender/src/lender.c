/* Comes while somebody is inside, with a long message; or not in each round. */
#include "../../budgets.h"

static uint8_t message[LONGEST];
static unsigned jobs;

int run(void)
{
    if (lends_always || !is_late(jobs++ % ROUNDS)) {
        cold();
        deep_touch(sizeof message, message);
    }
    cold();
    return 0;
}
