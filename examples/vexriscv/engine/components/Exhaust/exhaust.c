#include <camkes.h>

int run(void)
{
    fusee_compute(600000);
    int flow = maps_lookup(7, signals_slow(6), 0);
    fusee_compute(750000);
    valves_position(2, flow);
    fusee_compute(75000);
    return 0;
}
