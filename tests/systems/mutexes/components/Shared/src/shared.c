/* A mutex behind a gate that is open to all. */
#include <camkes.h>

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
