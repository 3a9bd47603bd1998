/* Watches the clock. */
#include <camkes.h>
#include "measure.h"

#define RUNS 10000
#define GAP 40

int run(void)
{
    struct path completion = {0}, quiet = {0};
    volatile uint64_t *shared = (volatile uint64_t *)board;
    uint64_t last = fusee_now();
    for (;;) {
        uint64_t now = fusee_now();
        if (now - last > GAP) {
            uint64_t ended = shared[0];
            if (ended > last && completion.runs < RUNS) {
                count(&completion, now - ended - 1);
                if (completion.runs == RUNS) {
                    print_path("completion", &completion);
                }
            }
            if (ended < last && quiet.runs < RUNS) {
                count(&quiet, now - last - 1);
                if (quiet.runs == RUNS) {
                    print_path("release.quiet", &quiet);
                }
            }
            now = fusee_now();
        }
        last = now;
    }
}
