/* Locks, and goes further. */
#include "../../rounds.h"
#include <camkes.h>

static unsigned jobs;

int run(void)
{
    if (round_of(&jobs) == LOCK) {
        shared_go();
    } else {
        shared_hold();
    }
    return 0;
}
