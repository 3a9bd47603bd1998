/* Says that it asks, and asks. */
#include <camkes.h>
#include "measure.h"

int run(void)
{
    volatile uint64_t *shared = (volatile uint64_t *)board;
    shared[0]++;
    disturb();
    held_touch();
    return 0;
}
