/* Sends a byte for each interrupt: the direction that was written last. */
#include <camkes.h>

/* Registers of a 16550, one byte each. */
enum { DATA = 0, INTERRUPTS = 1, IDENTITY = 2 };
enum { TRANSMITTER_EMPTY = 0x02 };

int run(void)
{
    volatile uint8_t *device = (volatile uint8_t *)registers;
    device[INTERRUPTS] = TRANSMITTER_EMPTY;

    while (1) {
        ready_wait();                   /* ends a job, and begins the next */
        char direction = *(volatile char *)frame;
        device[DATA] = direction == 0 ? '.' : direction;
        (void)device[IDENTITY];         /* tells the device that its interrupt was seen */
        ready_acknowledge();
    }
}
