/* A mutex behind a gate that is open to all, and a thread that comes while somebody holds it. */
#include "../../../../cold.h"
#include "../../rounds.h"
#include <camkes.h>

static unsigned jobs;

int run(void)
{
    if (round_of(&jobs) == UNLOCK) {
        cold();
        own_lock();
        cold();
        own_unlock();
    }
    return 0;
}

void shared_go(void)
{
    cold();
    own_lock();
    cold();
    inwards_nothing();
    cold();
    own_unlock();
}

void shared_hold(void)
{
    cold();
    own_lock();
    cold();
    sidewards_hold();
    cold();
    own_unlock();
}

void shared_nothing(void)
{
    cold();
    own_lock();
    cold();
    own_unlock();
}
