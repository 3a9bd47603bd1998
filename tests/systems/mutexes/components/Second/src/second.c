/* Comes while somebody is inside. */
#include "../../../../cold.h"
#include "../../rounds.h"
#include <camkes.h>

static unsigned jobs;

int run(void)
{
    if (round_of(&jobs) == LOCK) {
        cold();
        inwards_nothing();
    }
    return 0;
}
