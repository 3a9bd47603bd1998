#include <camkes.h>

/* Reads the instrument, asks for topics, and publishes its own. */
int run(void)
{
    fusee_compute(400000);
    int known = bus_select(15);
    fusee_compute(60000);
    bus_publish(1, known);
    fusee_compute(60000);
    return 0;
}
