/* The outer of two gates. */
#include "../../general.h"

/* Registers of a 16550, one byte each. */
enum { INTERRUPTS = 1, IDENTITY = 2 };
enum { TRANSMITTER_EMPTY = 0x02 };

static uint8_t message[LONGEST];

void wide_go(int what)
{
    volatile uint8_t *device = (volatile uint8_t *)registers;
    /* Of the rounds before. */
    cold();
    (void)again_poll();
    deep_hold(what == COMPLETE);
    switch (what) {
    case WAIT:
        cold();
        again_wait();
        break;
    case YIELD:
    case COMPLETE:
        cold();
        fusee_yield();
        break;
    case FAULT:
        cold();
        (void)*(volatile int *)(uintptr_t)(what + 4);
        break;
    case INVOKE:
        cold();
        deep_nothing();
        break;
    case SEND:
        cold();
        deep_touch(sizeof message, message);
        break;
    case INTERRUPT:
        cold();
        device[INTERRUPTS] = TRANSMITTER_EMPTY;
        /* It comes meanwhile. */
        cold();
        device[INTERRUPTS] = 0;
        (void)device[IDENTITY];
        break;
    default:
        break;
    }
    cold();
}

void wide_fetch(int what, char **text)
{
    deep_hold(0);
    (void)what;
    size_t length = LONGEST - sizeof(fusee_word);
    *text = malloc(length);
    if (*text != NULL) {
        memset(*text, 'x', length - 1);
        (*text)[length - 1] = '\0';
    }
    cold();
}

void wide_touch(size_t a_sz, const uint8_t *a)
{
    (void)a_sz;
    (void)a;
}
