/* Begins, says how long after the release or after another's end that was, and ends. */
#include <camkes.h>
#include "measure.h"

#define RUNS @bursts@
#define PERIOD @period@
#define GAP @gap@

static struct path first, next, same;
static uint32_t jobs;

/* For some time, how long this job was away without another having begun. */
static void watch(void)
{
    uint64_t begun = fusee_now(), last = begun;
    while (last - begun < (uint64_t)watches) {
        uint64_t now = fusee_now();
        if (now - last > GAP) {
            count(&same, now - last - 1);
            now = fusee_now();
        }
        last = now;
    }
}

int run(void)
{
    uint32_t begun = (uint32_t)fusee_now();
    volatile uint32_t *ended = (volatile uint32_t *)board;
    uint32_t release = @start@ + (uint32_t)delay + jobs++ * PERIOD;
    /* What the start of the system takes is in the first ones. */
    if (jobs > 2 && *ended >= release) {
        count(&next, begun - *ended - 1);
    } else if (jobs > 2) {
        count(&first, begun - release);
    }
    watch();
    if (jobs == RUNS) {
        if (first.runs > 0) {
            print_path("choose.first.@threads@.@at_once@", &first);
        }
        if (next.runs > 0) {
            print_path("choose.next.@threads@", &next);
        }
        if (same.runs > 0) {
            print_path("choose.same.@threads@", &same);
        }
    }
    *ended = (uint32_t)fusee_now();
    return 0;
}
