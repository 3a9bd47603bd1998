/* Sees how long each of the waiters took to line up. */
#include <camkes.h>
#include "measure.h"

#define RUNS 10000
#define GAP 40

int run(void)
{
    static struct path waits[128];
    volatile uint64_t *shared = (volatile uint64_t *)board;
    uint64_t last = fusee_now();
    for (;;) {
        uint64_t now = fusee_now();
        if (now - last > GAP) {
            uint64_t asked = shared[0], waiters = shared[1];
            if (asked > last) {
                struct path *path = &waits[waiters & 127];
                count(path, now - asked - 1);
                if (path->runs == RUNS) {
                    char name[32];
                    char *end = put_text(name, "queue.waits");
                    end = put_number(end, waiters);
                    *end = '\0';
                    name[11] = '.';
                    print_path(name, path);
                }
            }
            now = fusee_now();
        }
        last = now;
    }
}
