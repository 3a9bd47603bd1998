/* Addresses and interrupts of the controller's devices. QEMU has none of them: pages of its
   second flash memory stand for their registers, so that the controller boots there. */
#ifndef PLATFORM_H
#define PLATFORM_H

#define PAGE 4096

#define CAPTURE_BASE   0x22010000 /* capture unit: teeth of the crank wheel */
#define CAPTURE_IRQ    27
#define CONVERTER_BASE 0x22012000 /* analogue-digital converter */
#define SERIAL_BUS_BASE 0x22013000 /* pressure and temperature chips */
#define CAN_BASE       0x22006000
#define CAN_IRQ        20
#define PWM_BASE       0x22014000
#define OUTPUT_BASE    0x22020000 /* injectors and coils */
#define FLASH_BASE     0x22023000
#define UART_BASE      0x22011000
#define WATCHDOG_BASE  0x22002000

/* Places a device. */
#define AT(device, base) device.registers_paddr = base; device.registers_size = PAGE

#endif
