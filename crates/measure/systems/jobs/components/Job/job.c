/* Begins, says when, and ends. */
#include <camkes.h>
#include "measure.h"

#define RUNS @runs@
#define PERIOD (@period@ * @stretch@)

static struct path release;
static uint64_t jobs;

int run(void)
{
    uint64_t begun = fusee_now();
    volatile uint64_t *shared = (volatile uint64_t *)board;
    /* The spinner is released together with the first, which waits for that, too. */
    if (jobs > 0) {
        count(&release, begun - (@start@ + jobs * PERIOD));
    }
    if (release.runs == RUNS) {
        print_path("release@kind@", &release);
    }
    jobs++;
    disturb();
    shared[0] = fusee_now();
    return 0;
}
