/* Begins, says how long after the release or after another's end that was, and ends. */
#include <camkes.h>
#include "measure.h"

#define RUNS @bursts@
#define PERIOD @period@
#define GAP @gap@

static struct path first, next, same;
static uint32_t jobs;

/*
 * For some time, how long this job was away without another having begun; or since when nobody below
 * the schedulers has had the core any more, if somebody had.
 */
static void watch(void)
{
    volatile uint32_t *shared = (volatile uint32_t *)board;
    uint32_t begun = (uint32_t)fusee_now(), last = begun;
    while (last - begun < (uint32_t)watches) {
        uint32_t now = (uint32_t)fusee_now();
        if (now - last > GAP) {
            uint32_t below = shared[1];
            count(&same, now - (below > last ? below : last) - 1);
            now = (uint32_t)fusee_now();
        }
        shared[0] = now;
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
            print_path("@kind@.first.@threads@.@at_once@", &first);
        }
        if (next.runs > 0) {
            print_path("@kind@.next.@threads@", &next);
        }
        if (same.runs > 0) {
            print_path("@same@.@threads@", &same);
        }
    }
    *ended = (uint32_t)fusee_now();
    return 0;
}
