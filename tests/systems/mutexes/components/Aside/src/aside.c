/* A gate beside the others. */
#include "../../../../cold.h"
#include <camkes.h>

void sidewards_hold(void)
{
    cold();
    leave_wait();
    cold();
}

void sidewards_touch(size_t a_sz, const uint8_t *a)
{
    (void)a_sz;
    (void)a;
}
