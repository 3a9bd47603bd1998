/* Goes inside. */
#include <camkes.h>
#include <fusee.h>

int run(void)
{
    volatile uint64_t *shared = (volatile uint64_t *)board;
    shared[1] = 0;
    shared[3] = 0;
    held_hold();
    return 0;
}
