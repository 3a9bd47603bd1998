#include <camkes.h>
#include <uart.h>

static size_t bytes;

static volatile uint8_t *at(enum uart_register place)
{
    return (volatile uint8_t *)registers + place;
}

void output__init(void)
{
    *at(UART_INTERRUPTS) = 0;
    *at(UART_LINE) = UART_EIGHT_BITS;
}

void line_handle(void)
{
    (void)*at(UART_CAUSE);
    *at(UART_INTERRUPTS) = 0;
    room_post();
    line_acknowledge();
}

int output_put(char c)
{
    *at(UART_INTERRUPTS) = UART_ROOM_INTERRUPT;
    room_wait();
    *at(UART_DATA) = (uint8_t)c;
    bytes++;
    return 0;
}

size_t output_sent(void)
{
    return bytes;
}
