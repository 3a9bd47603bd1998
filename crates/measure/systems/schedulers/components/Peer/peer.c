/* Says when it has been told. */
#include <camkes.h>
@board@

/* What is measured: a function of its own, so that the stub in it can be bounded. */
static __attribute__((noinline)) void measured_receive(volatile struct board *shared)
{
    news_wait();
    shared->received = fusee_now();
}

int run(void)
{
    volatile struct board *shared = (volatile struct board *)board;
    for (;;) {
        measured_receive(shared);
    }
}
