#include <camkes.h>

/* Registers of the capture unit, a word each. */
enum { EVERY, PENDING, TIMES };

/* Teeth come a little further apart than 1 ms. */
void post_init(void)
{
    ((volatile uint32_t *)registers)[EVERY] = 1000500;
}

int run(void)
{
    volatile uint32_t *device = (volatile uint32_t *)registers;
    volatile engine_state_t *engine = (volatile engine_state_t *)state;
    engine->angle_millidegrees = device[TIMES] * 6000;
    device[PENDING] = 0;
    tooth_acknowledge();
    fusee_compute(12000);
    engine->last_tooth_us = (uint32_t)clock_now();
    fusee_compute(12000);
    revolution_emit();
    return 0;
}
