#include <camkes.h>

/* Registers of the device, a word each. */
enum { EVERY, PENDING, TIMES };

static unsigned last;

void post_init(void)
{
    volatile uint32_t *device = (volatile uint32_t *)registers;
    device[EVERY] = 201000;
}

int run(void)
{
    volatile uint32_t *device = (volatile uint32_t *)registers;
    last = device[TIMES];
    device[PENDING] = 0;
    elapsed_acknowledge();
    fusee_compute(30000);
    sampled_emit();
    return 0;
}
