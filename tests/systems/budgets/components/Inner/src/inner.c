/* The inner of two gates. */
#include "../../budgets.h"

#ifdef MUTEX
#define LOCK own_lock()
#define UNLOCK own_unlock()
#else
#define LOCK
#define UNLOCK
#endif

void deep_hold(int what)
{
    LOCK;
    cold();
    if (what == INTERRUPT) {
        ready_wait();
        cold();
        ready_acknowledge();
    } else {
        go_wait();
    }
    /* Until `first` has nothing left, or `second` either, or until the driver has another job. */
    spin(what == COMPLETE ? 55000 : runs_out((unsigned)what) ? 240000 : 35000);
    cold();
    UNLOCK;
    cold();
}

void deep_nothing(void)
{
    cold();
    LOCK;
    cold();
    UNLOCK;
    cold();
}

void deep_touch(size_t a_sz, const uint8_t *a)
{
    (void)a_sz;
    (void)a;
    deep_nothing();
}
