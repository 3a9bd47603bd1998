/* Comes and waits. */
#include <camkes.h>
#include <fusee.h>

int run(void)
{
    volatile uint64_t *shared = (volatile uint64_t *)board;
    shared[1]++;
    shared[0] = fusee_now();
    held_touch();
    return 0;
}
