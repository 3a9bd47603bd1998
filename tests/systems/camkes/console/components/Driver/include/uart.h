#pragma once

/* Registers of a 16550, one byte each. */
enum uart_register { UART_DATA = 0, UART_INTERRUPTS = 1, UART_CAUSE = 2, UART_LINE = 3, UART_STATUS = 5 };

#define UART_ROOM_INTERRUPT 0x02
#define UART_EIGHT_BITS 0x03
