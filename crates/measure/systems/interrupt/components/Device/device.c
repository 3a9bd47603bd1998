/* Lets the device interrupt, and sees how long that takes. */
#include <camkes.h>
#include "measure.h"

#define RUNS @runs@

/* Registers of a 16550, one byte each. */
enum { INTERRUPTS = 1, IDENTITY = 2 };
enum { TRANSMITTER_EMPTY = 0x02 };

static volatile uint64_t enabled;
static struct path handler;

void ready_handle(void)
{
    uint64_t now = fusee_now();
    volatile uint8_t *device = (volatile uint8_t *)registers;
    count(&handler, now - enabled - 1);
    device[INTERRUPTS] = 0;
    (void)device[IDENTITY];
    (void)ready_acknowledge();
    if (handler.runs == RUNS) {
        print_path("interrupt_to_handler", &handler);
    }
}

int run(void)
{
    volatile uint8_t *device = (volatile uint8_t *)registers;
    while (handler.runs < RUNS) {
        disturb();
        enabled = fusee_now();
        device[INTERRUPTS] = TRANSMITTER_EMPTY;
    }
    return 0;
}
