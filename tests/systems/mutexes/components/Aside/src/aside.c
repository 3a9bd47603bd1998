/* A gate beside the others. */
#include <camkes.h>

void sidewards_hold(void)
{
    leave_wait();
}

void sidewards_touch(size_t a_sz, const uint8_t *a)
{
    (void)a_sz;
    (void)a;
}
