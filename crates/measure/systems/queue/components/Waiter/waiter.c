/* Comes and waits. */
#include <camkes.h>
#include "measure.h"

int run(void)
{
    volatile uint64_t *shared = (volatile uint64_t *)board;
    shared[1]++;
    disturb();
    shared[0] = fusee_now();
    held_touch();
    return 0;
}
