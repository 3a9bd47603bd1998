/* Sees how long each of the waiters took to line up. */
#include <camkes.h>
#include "measure.h"

#define RUNS @runs@

int run(void)
{
    static struct path waits[128];
    volatile uint64_t *shared = (volatile uint64_t *)board;
    for (;;) {
        uint64_t before = shared[0];
        while (shared[0] == before || shared[0] == 0) {
        }
        uint64_t now = fusee_now();
        uint64_t waiters = shared[1];
        struct path *path = &waits[waiters & 127];
        count(path, now - shared[0] - 1);
        if (path->runs == RUNS) {
            char name[32];
            char *end = put_text(name, "queue.waits");
            end = put_text(put_number(end, waiters), "@kind@");
            *end = '\0';
            name[11] = '.';
            print_path(name, path);
        }
    }
}
