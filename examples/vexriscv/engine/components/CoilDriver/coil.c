#include <camkes.h>

/* The first of the device's own registers. */
enum { VALUES = 3 };

int coils_fire(int cylinder, int angle)
{
    volatile uint32_t *device = (volatile uint32_t *)registers;
    device[VALUES + 0] = (uint32_t)cylinder;
    device[VALUES + 1] = (uint32_t)angle;
    fusee_compute(6000);
    return 0;
}
