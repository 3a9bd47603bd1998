#include <camkes.h>

/* Registers of a 16550, one byte each. */
enum { DATA = 0, INTERRUPTS = 1, IDENTITY = 2 };
enum { TRANSMITTER_EMPTY = 0x02 };

static const char text[] = "one byte for each interrupt\n";

int run(void)
{
    volatile uint8_t *device = (volatile uint8_t *)registers;
    device[INTERRUPTS] = TRANSMITTER_EMPTY;

    for (unsigned next = 0;;) {
        ready_wait();
        if (next < sizeof text - 1) {
            device[DATA] = (uint8_t)text[next++];
        } else {
            device[INTERRUPTS] = 0;
        }
        (void)device[IDENTITY];
        ready_acknowledge();
    }
}
