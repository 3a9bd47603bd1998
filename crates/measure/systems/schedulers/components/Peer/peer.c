/* Says when it has been told. */
#include <camkes.h>
@board@

int run(void)
{
    volatile struct board *shared = (volatile struct board *)board;
    for (;;) {
        news_wait();
        shared->received = fusee_now();
    }
}
