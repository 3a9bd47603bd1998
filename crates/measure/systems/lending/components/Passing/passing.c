/* Says how long after its release it begins, and when it ends. */
#include <camkes.h>
#include "measure.h"

#define RUNS @bursts@
#define PERIOD 10000000

static struct path path;
static uint32_t jobs;

int run(void)
{
    uint32_t begun = (uint32_t)fusee_now();
    volatile uint32_t *ended = (volatile uint32_t *)board + 2 + place;
    /* What the start of the system takes is in the first ones. */
    if (jobs > 1) {
        count(&path, begun - (@start@ + (uint32_t)release + jobs * PERIOD));
    }
    jobs++;
    if (jobs == RUNS) {
        print_path(place == 0 ? "lend@kind@.first" : "lend@kind@.release", &path);
    }
    *ended = (uint32_t)fusee_now();
    return 0;
}
