/* Addresses and interrupts of the controller's devices. */
#ifndef PLATFORM_H
#define PLATFORM_H

#define PAGE 4096

#define CAPTURE_BASE   0x40010000 /* capture unit: teeth of the crank wheel */
#define CAPTURE_IRQ    27
#define CONVERTER_BASE 0x40012000 /* analogue-digital converter */
#define SERIAL_BUS_BASE 0x40013000 /* pressure and temperature chips */
#define CAN_BASE       0x40006000
#define CAN_IRQ        20
#define PWM_BASE       0x40014000
#define OUTPUT_BASE    0x40020000 /* injectors and coils */
#define FLASH_BASE     0x40023000
#define UART_BASE      0x40011000
#define WATCHDOG_BASE  0x40002000

/* Places a device. */
#define AT(device, base) device.registers_paddr = base; device.registers_size = PAGE

#endif
