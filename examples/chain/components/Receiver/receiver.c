#include <camkes.h>

/* Registers of a 16550, one byte each. */
enum { INTERRUPTS = 1, IDENTITY = 2 };
enum { TRANSMITTER_EMPTY = 0x02 };

int run(void)
{
    volatile uint8_t *device = (volatile uint8_t *)registers;
    volatile int *sample = (volatile int *)raw;
    device[INTERRUPTS] = TRANSMITTER_EMPTY;

    while (1) {
        ready_wait();
        *sample += 1;
        raw_release();
        sampled_emit();
        /* The line is idle all the time: asking again brings the next interrupt. */
        (void)device[IDENTITY];
        device[INTERRUPTS] = 0;
        device[INTERRUPTS] = TRANSMITTER_EMPTY;
        ready_acknowledge();
    }
}
