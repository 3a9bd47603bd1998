/* Keeps the first one inside until `high` waits, and lets everybody else pass. */
#include <camkes.h>
#include "measure.h"

#define RUNS @runs@
/* Less than what lies between the rounds. */
#define RECENT (30000 * @stretch@)

static struct path chains[8];

void up_hold(void)
{
    volatile uint64_t *shared = (volatile uint64_t *)board;
    uint64_t before = shared[0];
    if (fusee_now() - before < RECENT) {
        return;
    }
    while (shared[0] == before) {
    }
    uint64_t now = fusee_now();
    uint64_t length = shared[1];
    struct path *path = &chains[length & 7];
    count(path, now - shared[0] - 1);
    if (path->runs == RUNS) {
        char name[] = "block.chain0@kind@";
        name[sizeof "block.chain0" - 2] = (char)('0' + length);
        print_path(name, path);
    }
}

void up_touch(void)
{
}
