/* Begins, says how long after the end of the slot before or after the release that was, and ends. */
#include <camkes.h>
#include "measure.h"

#define RUNS @bursts@
#define PERIOD 10003000

static struct path path;
static uint32_t jobs;

int run(void)
{
    uint32_t begun = (uint32_t)fusee_now();
    volatile uint32_t *shared = (volatile uint32_t *)board;
    uint32_t release = @start@ + 5000000 + jobs++ * PERIOD;
    /* What the start of the system takes is in the first ones. */
    if (jobs > 2) {
        count(&path, begun - (waits_for_slot ? shared[1] : release) - 1);
    }
    if (jobs == RUNS) {
        print_path(waits_for_slot ? "slot.@kind@first.@pending@" : "slot.@kind@wake", &path);
    }
    if (!waits_for_slot) {
        shared[0] = (uint32_t)fusee_now();
    }
    return 0;
}
