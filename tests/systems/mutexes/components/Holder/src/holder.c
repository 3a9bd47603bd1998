/* Is inside first. */
#include "../../rounds.h"
#include <camkes.h>

static unsigned jobs;

int run(void)
{
    if (round_of(&jobs) == LOCK) {
        inwards_hold();
    }
    return 0;
}
