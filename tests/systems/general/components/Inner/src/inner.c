/* The inner of two gates. */
#include "../../general.h"

void deep_hold(int late)
{
    cold();
    go_wait();
    if (late) {
        /* Until the driver has another job. */
        spin(110000 * SLOW);
    }
    cold();
}

void deep_nothing(void)
{
}

void deep_touch(size_t a_sz, const uint8_t *a)
{
    (void)a_sz;
    (void)a;
}
