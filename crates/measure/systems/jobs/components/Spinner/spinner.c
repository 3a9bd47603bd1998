/* Watches the board where a job says when it ends, or the clock where nobody says anything. */
#include <camkes.h>
#include "measure.h"

#define RUNS @runs@
#define GAP @gap@

static __attribute__((unused)) void watch_board(volatile uint64_t *shared)
{
    struct path completion = {0};
    while (completion.runs < RUNS) {
        uint64_t before = shared[0];
        while (shared[0] == before) {
        }
        count(&completion, fusee_now() - shared[0] - 1);
        disturb();
    }
    print_path("completion@kind@", &completion);
}

static __attribute__((unused)) void watch_clock(void)
{
    struct path quiet = {0};
    uint64_t last = fusee_now();
    while (quiet.runs < RUNS) {
        uint64_t now = fusee_now();
        if (now - last > GAP) {
            count(&quiet, now - last - 1);
            disturb();
            now = fusee_now();
        }
        last = now;
    }
    print_path("release.quiet", &quiet);
}

int run(void)
{
    watch_@what@;
    return 0;
}
