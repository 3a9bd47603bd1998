#include <camkes.h>

int run(void)
{
    fusee_compute(150000);
    int speed = maps_lookup(6, signals_slow(5), 0);
    fusee_compute(220000);
    valves_position(1, speed);
    fusee_compute(40000);
    return 0;
}
