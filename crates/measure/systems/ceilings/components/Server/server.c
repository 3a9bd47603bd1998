/* Keeps its caller inside until all have asked who are to come. */
#include <camkes.h>
#include "measure.h"

#define RUNS @runs@

static uint64_t left;

void held_hold(void)
{
    volatile uint64_t *shared = (volatile uint64_t *)board;
    while (shared[0] < @longest@) {
    }
    shared[0] = 0;
    disturb();
    left = fusee_now();
}

void held_touch(void)
{
    static struct path lifted;
    uint64_t entered = fusee_now();
    if (left != 0) {
        count(&lifted, entered - left - 1);
        if (lifted.runs == RUNS) {
            print_path("ceiling.lifted.@longest@", &lifted);
        }
        left = 0;
    }
}
