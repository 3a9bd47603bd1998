/* Works until it is stopped, leaves the time on the board, and sees when it goes on. */
#include <camkes.h>
#include "measure.h"

#define RUNS @runs@
#define GAP @gap@

int run(void)
{
    struct path away = {0};
    volatile uint64_t *shared = (volatile uint64_t *)board;
    uint64_t last = fusee_now();
    for (;;) {
        uint64_t now = fusee_now();
        if (now - last > GAP) {
            count(&away, now - last - 1);
            if (away.runs == RUNS) {
                print_path("away.@action@", &away);
            }
            disturb();
            now = fusee_now();
        }
        shared[0] = now;
        last = now;
    }
}
