/* Reads from where nothing is. */
#include <camkes.h>
#include "measure.h"

uint64_t risk_take(void)
{
    volatile uint64_t *shared = (volatile uint64_t *)board;
    volatile uint64_t *nowhere = (volatile uint64_t *)8;
    disturb();
    shared[0] = fusee_now();
    return *nowhere;
}
