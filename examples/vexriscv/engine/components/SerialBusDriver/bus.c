#include <camkes.h>

/* The first of the device's own registers. */
enum { VALUES = 3 };

int bus_transfer(int chip, int command)
{
    volatile uint32_t *device = (volatile uint32_t *)registers;
    device[VALUES + 0] = (uint32_t)chip;
    device[VALUES + 1] = (uint32_t)command;
    fusee_compute(12000);
    return (int)device[VALUES + 1];
}
