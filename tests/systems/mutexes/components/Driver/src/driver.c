/* Leaves a gate and waits for a mutex. */
#include "../../../../cold.h"
#include "../../rounds.h"
#include <camkes.h>

static unsigned jobs;

int run(void)
{
    if (round_of(&jobs) == LOCK) {
        cold();
        sidewards_hold();
        cold();
        shared_nothing();
    }
    return 0;
}
