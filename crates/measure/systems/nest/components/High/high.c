/* Comes for one mutex. */
#include <camkes.h>

int run(void)
{
    volatile uint64_t *shared = (volatile uint64_t *)board;
    shared[1]++;
    held_touch(which);
    return 0;
}
