/* Signals the waiter, and itself. */
#include <camkes.h>
#include "measure.h"

#define RUNS @runs@

#define MEASURE(path, action)                  \
    do {                                       \
        disturb();                             \
        uint64_t before = fusee_now();         \
        action;                                \
        count(path, fusee_now() - before - 1); \
    } while (0)

int run(void)
{
    struct path wait = {0}, signal = {0}, again = {0}, taken = {0}, poll = {0}, nothing = {0}, lower = {0};
    volatile uint64_t *shared = (volatile uint64_t *)board;
    for (int run = 0; run < RUNS; run++) {
        disturb();
        shared[0] = fusee_now();
        ping_emit();
        uint64_t now = fusee_now();
        count(&wait, now - shared[1] - 1);
        MEASURE(&signal, note_emit());
        MEASURE(&again, note_emit());
        MEASURE(&taken, noted_wait());
        note_emit();
        MEASURE(&poll, noted_poll());
        MEASURE(&nothing, noted_poll());
        back_wait();
        MEASURE(&lower, call_emit());
    }
    print_path("wait.blocks@kind@", &wait);
    print_path("signal.lower@kind@", &lower);
    print_path("signal.nobody@kind@", &signal);
    print_path("signal.pending@kind@", &again);
    print_path("wait.pending@kind@", &taken);
    print_path("poll.pending@kind@", &poll);
    print_path("poll.nothing@kind@", &nothing);
    return 0;
}
