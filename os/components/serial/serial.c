/*
 * The driver of a 16550: sends while its caller waits, receives by interrupt.
 *
 * Received bytes wait in a ring of 64; when it is full, the newest are dropped.
 */
#include <camkes.h>

/* Registers, one byte each. */
enum { DATA = 0, INTERRUPTS = 1, FIFO = 2, LINE = 3, STATUS = 5 };
enum { STATUS_RECEIVED = 0x01, STATUS_CAN_SEND = 0x20 };

/* No device takes longer than this to send a byte. */
#define MOST_LOOKS 100000
#define RING 64

static volatile uint8_t ring[RING];
static volatile unsigned filled, emptied;

static volatile uint8_t *device(void)
{
    return (volatile uint8_t *)registers;
}

void post_init(void)
{
    device()[INTERRUPTS] = 0;
    device()[LINE] = 0x03;  /* eight bits, no parity */
    device()[FIFO] = 0x07;  /* empty both queues */
    device()[INTERRUPTS] = 0x01;
}

int serial_put(uint8_t byte)
{
    for (int look = 0; look < MOST_LOOKS; look++) {
        if (device()[STATUS] & STATUS_CAN_SEND) {
            device()[DATA] = byte;
            return 0;
        }
    }
    return -1;
}

int serial_write(const char *text)
{
    int result = 0;
    for (size_t i = 0; text[i] != 0 && result == 0; i++) {
        result = serial_put((uint8_t)text[i]);
    }
    return result;
}

int serial_get(void)
{
    if (emptied == filled) {
        return -1;
    }
    uint8_t byte = ring[emptied % RING];
    emptied++;
    return byte;
}

void received_handle(void)
{
    while (device()[STATUS] & STATUS_RECEIVED) {
        uint8_t byte = device()[DATA];
        if (filled - emptied < RING) {
            ring[filled % RING] = byte;
            filled++;
        }
    }
    int refused = received_acknowledge();
    assert(refused == 0);
}
