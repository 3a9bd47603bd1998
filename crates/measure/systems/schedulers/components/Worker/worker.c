/* Waits, and does what the board says each time that it is started. */
#include <camkes.h>
@board@

int run(void)
{
    volatile struct board *shared = (volatile struct board *)board;
    for (;;) {
        shared->ended = fusee_now();
        start_wait();
        shared->begun = fusee_now();
        while (shared->task == SPIN) {
            shared->last = fusee_now();
        }
        if (shared->task == SIGNAL) {
            shared->sent = fusee_now();
            news_emit();
            shared->told = fusee_now();
        }
    }
}
