/* Lets the others go on, in four jobs for each round. */
#include "../../general.h"

static unsigned jobs;

int run(void)
{
    unsigned job = jobs % 4, what = jobs / 4 % ROUNDS;
    jobs++;
    switch (job) {
    case 0:
        cold();
        go_emit();
        if (what == INTERRUPT) {
            cold();
            ready_wait();
            cold();
            ready_acknowledge();
        }
        break;
    case 1:
        if (what == COMPLETE) {
            /* Until the next job waits. */
            spin(100000 * SLOW);
        }
        break;
    case 2:
        cold();
        again_emit();
        break;
    default:
        break;
    }
    cold();
    return 0;
}
