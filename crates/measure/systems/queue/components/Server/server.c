/* The holder waits inside; who comes after it says when. */
#include <camkes.h>
#include "measure.h"

#define RUNS @runs@

static struct path handoffs[128];

void held_hold(void)
{
    volatile uint64_t *shared = (volatile uint64_t *)board;
    go_wait();
    shared[0] = 0;
    disturb();
    shared[2] = fusee_now();
}

void held_touch(void)
{
    uint64_t entered = fusee_now();
    volatile uint64_t *shared = (volatile uint64_t *)board;
    /* How many waited when the gate was handed on: this one and those that come now. */
    uint64_t waiters = @longest@ - shared[3];
    struct path *path = &handoffs[waiters & 127];
    count(path, entered - shared[2] - 1);
    if (path->runs == RUNS) {
        char name[32];
        char *end = put_text(name, "queue.served");
        end = put_text(put_number(end, waiters), "@kind@");
        *end = '\0';
        name[12] = '.';
        print_path(name, path);
    }
    shared[3]++;
    disturb();
    shared[2] = fusee_now();
}
