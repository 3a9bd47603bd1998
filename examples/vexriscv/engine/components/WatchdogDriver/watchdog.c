#include <camkes.h>

/* The first of the device's own registers. */
enum { VALUES = 3 };

void kick_kick(void)
{
    volatile uint32_t *device = (volatile uint32_t *)registers;
    device[VALUES + 0] = (uint32_t)1;
    fusee_compute(2000);
}
