#include <camkes.h>

/* The first of the device's own registers. */
enum { VALUES = 3 };

int injectors_open(int cylinder, int start_us, int duration_us)
{
    volatile uint32_t *device = (volatile uint32_t *)registers;
    device[VALUES + 0] = (uint32_t)cylinder;
    device[VALUES + 1] = (uint32_t)start_us;
    device[VALUES + 2] = (uint32_t)duration_us;
    fusee_compute(8000);
    return 0;
}
