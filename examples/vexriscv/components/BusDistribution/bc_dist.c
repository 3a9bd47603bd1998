#include <camkes.h>

static int cycle;

/* Takes the bus's data, publishes it, and tidies up. */
int run(void)
{
    fusee_compute(30000);
    bus_publish(0, ++cycle);
    fusee_compute(30000);
    return 0;
}
