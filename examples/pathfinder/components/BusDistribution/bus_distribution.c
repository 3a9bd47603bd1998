#include <camkes.h>
#include <stdio.h>

#define TOPIC_BUS 0

static int cycle;

/* Takes the bus's data, publishes it, and tidies up: 4 ms before, 4 ms after. */
int run(void)
{
    fusee_compute(4000000 - 100);
    int version = bus_publish(TOPIC_BUS, ++cycle);
    if (version == 0) {
        printf("cycle %d: not published, error %d\n", cycle, fusee_take_error());
    }
    fusee_compute(4000000 - 20000);
    return 0;
}
