/* Waits for signals, and comes to the deepest gate from above. */
#include <camkes.h>

int run(void)
{
    for (;;) {
        ping_wait();
        count_post();
        count_wait();
        count_trywait();
        work_go();
    }
}
