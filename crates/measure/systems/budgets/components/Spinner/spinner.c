/* Goes on when the other one is stopped. */
#include <camkes.h>
#include "measure.h"

#define RUNS @runs@
#define GAP @gap@

int run(void)
{
    struct path end = {0};
    volatile uint64_t *shared = (volatile uint64_t *)board;
    uint64_t last = fusee_now();
    for (;;) {
        uint64_t now = fusee_now();
        if (now - last > GAP) {
            uint64_t stopped = shared[0];
            if (stopped > last) {
                count(&end, now - stopped - 1);
                if (end.runs == RUNS) {
                    print_path("budget_end.@action@", &end);
                }
            }
            disturb();
            now = fusee_now();
        }
        last = now;
    }
}
