/* Lets the serial line interrupt once, because its transmitter is empty. */
#include <camkes.h>

int run(void)
{
    ((volatile uint8_t *)registers)[1] = 2;
    return 0;
}

void ready_handle(void)
{
    ((volatile uint8_t *)registers)[1] = 0;
    ready_acknowledge();
}
