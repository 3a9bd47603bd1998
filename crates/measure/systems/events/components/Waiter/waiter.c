/* Waits, and says when it was woken and when it waits again. */
#include <camkes.h>
#include "measure.h"

#define RUNS @runs@

int run(void)
{
    struct path woken = {0};
    volatile uint64_t *shared = (volatile uint64_t *)board;
    for (;;) {
        disturb();
        shared[1] = fusee_now();
        ping_wait();
        uint64_t now = fusee_now();
        count(&woken, now - shared[0] - 1);
        if (woken.runs == RUNS) {
            print_path("signal_to_waiter@kind@", &woken);
        }
    }
}
