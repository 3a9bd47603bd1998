#include <camkes.h>
#include <stdio.h>

#define TICK 0

int run(void)
{
    if (timer_periodic(TICK, 5000000) != 0) {
        printf("no timer\n");
        return -1;
    }
    for (int tick = 1;; tick++) {
        timeout_wait();
        if (timer_completed() & 1u << TICK) {
            serial_write("tick\n");
            printf("tick %d\n", tick);
        }
    }
}
