/* Comes while somebody holds the mutex. */
#include "../../rounds.h"
#include <camkes.h>

static unsigned jobs;

int run(void)
{
    if (round_of(&jobs) == UNLOCK) {
        shared_nothing();
    }
    return 0;
}
