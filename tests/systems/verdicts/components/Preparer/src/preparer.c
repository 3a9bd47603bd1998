#include <camkes.h>

static volatile unsigned table;

int run(void)
{
    for (unsigned i = 0; i < 1000000; i++) {
        table += i;
    }
    for (;;) {
        tick_wait();
        table++;
    }
}
