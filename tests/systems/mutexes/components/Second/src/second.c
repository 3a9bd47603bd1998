/* Comes while somebody is inside. */
#include "../../rounds.h"
#include <camkes.h>

static unsigned jobs;

int run(void)
{
    if (round_of(&jobs) == LOCK) {
        inwards_nothing();
    }
    return 0;
}
