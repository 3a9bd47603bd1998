#include <camkes.h>

/* Registers of the controller, a word each. */
enum { EVERY, PENDING, TIMES, ID, DATA };

/* Frames come a little further apart than 5 ms. */
void post_init(void)
{
    ((volatile uint32_t *)registers)[EVERY] = 5001000;
}

int can_send(int id, uint64_t data)
{
    volatile uint32_t *device = (volatile uint32_t *)registers;
    device[ID] = (uint32_t)id;
    device[DATA] = (uint32_t)data;
    fusee_compute(25000);
    return 0;
}

int can_receive(int *id, uint64_t *data)
{
    volatile uint32_t *device = (volatile uint32_t *)registers;
    fusee_compute(20000);
    *id = (int)device[TIMES];
    *data = device[TIMES];
    device[PENDING] = 0;
    return 0;
}
