/* Waits, and does what the board says each time that it is started. */
#include <camkes.h>
@board@

/* What is measured: functions of their own, so that the stubs in them can be bounded. */
#define MEASURED __attribute__((noinline))

static MEASURED void measured_wait(volatile struct board *shared)
{
    shared->ended = fusee_now();
    start_wait();
    shared->begun = fusee_now();
}

static MEASURED void measured_spin(volatile struct board *shared)
{
    while (shared->task == SPIN) {
        shared->last = fusee_now();
    }
}

static MEASURED void measured_signal(volatile struct board *shared)
{
    shared->sent = fusee_now();
    news_emit();
    shared->told = fusee_now();
}

int run(void)
{
    volatile struct board *shared = (volatile struct board *)board;
    for (;;) {
        measured_wait(shared);
        measured_spin(shared);
        if (shared->task == SIGNAL) {
            measured_signal(shared);
        }
    }
}
