/* Leaves the time on the board, and sees when the other one left it. */
#include <camkes.h>
#include "measure.h"

#define RUNS @runs@
#define GAP @gap@

int run(void)
{
    struct path slice = {0};
    volatile uint64_t *shared = (volatile uint64_t *)board;
    /* Each has a place of its own on the board. */
    uint64_t mine = shared[2]++ & 1;
    uint64_t last = fusee_now();
    for (;;) {
        uint64_t now = fusee_now();
        if (now - last > GAP) {
            uint64_t other = shared[1 - mine];
            if (other > last) {
                count(&slice, now - other - 1);
                if (slice.runs == RUNS) {
                    print_path("time_slice@kind@", &slice);
                }
            }
            disturb();
            now = fusee_now();
        }
        shared[mine] = now;
        last = now;
    }
}
