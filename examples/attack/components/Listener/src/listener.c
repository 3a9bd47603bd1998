/* Counts events, however fast they come. */

#include <camkes.h>

static volatile unsigned events;

int run(void)
{
    for (;;) {
        alarm_wait();
        events++;
    }
}
