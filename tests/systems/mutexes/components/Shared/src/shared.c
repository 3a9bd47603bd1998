/* A mutex behind a gate that is open to all, and a thread that comes while somebody holds it. */
#include "../../rounds.h"
#include <camkes.h>

static unsigned jobs;

int run(void)
{
    if (round_of(&jobs) == UNLOCK) {
        own_lock();
        own_unlock();
    }
    return 0;
}

void shared_go(void)
{
    own_lock();
    inwards_nothing();
    own_unlock();
}

void shared_hold(void)
{
    own_lock();
    sidewards_hold();
    own_unlock();
}

void shared_nothing(void)
{
    own_lock();
    own_unlock();
}
