/* Leaves a gate and waits for a mutex. */
#include "../../rounds.h"
#include <camkes.h>

static unsigned jobs;

int run(void)
{
    if (round_of(&jobs) == LOCK) {
        sidewards_hold();
        shared_nothing();
    }
    return 0;
}
