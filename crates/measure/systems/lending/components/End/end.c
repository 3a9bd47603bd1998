/*
 * Keeps the first one inside until all that there is has come, and lets everybody else pass. What it
 * is about: since when it goes on.
 */
#include <camkes.h>
#include "measure.h"

#define RUNS @bursts@
#define GAP @gap@
/* Less than what lies between the rounds, and more than all comes in. */
#define RECENT 5000000
#define ALL 500000

static struct path block, handoff, same, next, completion;
static uint32_t rounds;

static void print(void)
{
    print_path("lend@kind@.block", &block);
    print_path("lend@kind@.handoff", &handoff);
    print_path("lend@kind@.same", &same);
    print_path("lend@kind@.next", &next);
    print_path("lend@kind@.completion", &completion);
}

/* By whom it was away, and how long ago that one had ended. */
static void away(volatile uint32_t *shared, uint32_t last, uint32_t now)
{
    if (rounds < 2) {
        /* What the start of the system takes is in the first ones. */
        return;
    }
    if (shared[3] > last) {
        count(&completion, now - shared[3] - 1);
    } else if (shared[2] > last) {
        count(&next, now - shared[2] - 1);
    } else {
        count(&same, now - last - 1);
    }
}

static void work(volatile uint32_t *shared, uint32_t asked)
{
    while (shared[0] == asked) {
    }
    uint32_t last = (uint32_t)fusee_now();
    if (rounds > 1) {
        count(&block, last - shared[0] - 1);
    }
    while (last - shared[0] < ALL) {
        uint32_t now = (uint32_t)fusee_now();
        if (now - last > GAP) {
            away(shared, last, now);
            now = (uint32_t)fusee_now();
        }
        last = now;
    }
}

void up_hold(void)
{
    uint32_t begun = (uint32_t)fusee_now();
    volatile uint32_t *shared = (volatile uint32_t *)board;
    uint32_t asked = shared[0];
    if (begun - asked < RECENT && rounds > 0) {
        if (shared[1] != 0) {
            count(&handoff, begun - shared[1] - 1);
            shared[1] = 0;
            if (rounds == RUNS - 1) {
                print();
            }
        }
        return;
    }
    work(shared, asked);
    rounds++;
    shared[1] = (uint32_t)fusee_now();
}
