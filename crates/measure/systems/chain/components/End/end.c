/* Keeps the first one inside until `high` waits, and lets everybody else pass. */
#include <camkes.h>
#include "measure.h"

#define RUNS 10000
#define GAP 40
/* Less than what lies between the rounds. */
#define RECENT 60000

static struct path chains[8];

void up_hold(void)
{
    volatile uint64_t *shared = (volatile uint64_t *)board;
    uint64_t last = fusee_now();
    if (last - shared[0] < RECENT) {
        return;
    }
    for (;;) {
        uint64_t now = fusee_now();
        if (now - last > GAP) {
            uint64_t asked = shared[0];
            if (asked > last) {
                uint64_t length = shared[1];
                struct path *path = &chains[length & 7];
                count(path, now - asked - 1);
                if (path->runs == RUNS) {
                    char name[] = "block.chain0";
                    name[sizeof name - 2] = (char)('0' + length);
                    print_path(name, path);
                }
                return;
            }
            now = fusee_now();
        }
        last = now;
    }
}

void up_touch(void)
{
}
