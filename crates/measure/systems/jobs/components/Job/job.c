/* Begins, says when, and ends. */
#include <camkes.h>
#include "measure.h"

#define RUNS 10000
#define PERIOD @period@

static struct path release;
static uint64_t jobs;

int run(void)
{
    uint64_t begun = fusee_now();
    volatile uint64_t *shared = (volatile uint64_t *)board;
    if (jobs <= RUNS) {
        count(&release, begun - (@start@ + jobs * PERIOD));
    }
    if (++jobs == RUNS) {
        print_path("release", &release);
    }
    shared[0] = fusee_now();
    return 0;
}
