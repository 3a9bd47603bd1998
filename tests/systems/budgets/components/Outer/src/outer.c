/* The outer of two gates. */
#include "../../budgets.h"

static uint8_t message[LONGEST];

/* Until the budget of `low` has ended, and that of `poor`, who lends. */
static void run_out(int what)
{
    /* Of the rounds before. */
    cold();
    (void)again_poll();
    spin(85000);
    deep_hold(what);
}

void wide_go(int what)
{
    run_out(what);
    cold();
    switch (what) {
    case WAIT:
        again_wait();
        break;
    case YIELD:
    case COMPLETE:
        fusee_yield();
        break;
    case FAULT:
        (void)*(volatile int *)(uintptr_t)(what + 4);
        break;
    case INVOKE:
        deep_nothing();
        break;
    case SEND:
        deep_touch(sizeof message, message);
        break;
    case TIMER:
        /* Until the budget of `rich` has ended. */
        spin(90000);
        break;
    default:
        break;
    }
    cold();
}

void wide_fetch(int what, char **text)
{
    run_out(what);
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
    cold();
}
