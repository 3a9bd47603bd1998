/* Comes last, when all others wait, and remembers how long what it sees has taken. */
#include <camkes.h>
#include "measure.h"

/* Each way to let go takes an eighth of the turns. */
#define RUNS (@runs@ / 8)

static struct path waits[2], served[2], failed;

/* What `low` is to do is told by the board: unlock the first, or the last, or fail. */
int run(void)
{
    volatile uint64_t *shared = (volatile uint64_t *)board;
    if (failed.runs == RUNS || shared[1] != 8) {
        return 0;
    }
    shared[1]++;
    uint64_t kind = shared[0];
    uint64_t taken = held_touch(kind == 1 ? 7 : 0);
    if (kind == 2) {
        count(&failed, taken);
    } else {
        count(&served[kind], taken);
        count(&waits[kind], held_waited());
    }
    if (failed.runs == RUNS) {
        print_path("mutex.contended.deepest", &waits[0]);
        print_path("mutex.contended.topmost", &waits[1]);
        print_path("mutex.handover.deepest", &served[0]);
        print_path("mutex.handover.topmost", &served[1]);
        print_path("fault.holding", &failed);
    }
    return 0;
}
