#include <camkes.h>

/* The first of the device's own registers. */
enum { VALUES = 3 };

int pwm_duty(int output, int per_mille)
{
    volatile uint32_t *device = (volatile uint32_t *)registers;
    device[VALUES + 0] = (uint32_t)output;
    device[VALUES + 1] = (uint32_t)per_mille;
    fusee_compute(4000);
    return 0;
}
