#include <camkes.h>

/* The first of the device's own registers. */
enum { VALUES = 3 };

int converter_sample(int channel)
{
    volatile uint32_t *device = (volatile uint32_t *)registers;
    device[VALUES + 0] = (uint32_t)channel;
    fusee_compute(6000);
    return (int)device[VALUES];
}
