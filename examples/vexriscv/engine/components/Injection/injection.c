#include <camkes.h>

int run(void)
{
    int angle = (int)((volatile engine_state_t *)state)->angle_millidegrees;
    fusee_compute(90000);
    int air = signals_fast(1);
    int fuel = maps_lookup(1, air, angle) + maps_lookup(2, air, angle);
    fusee_compute(75000);
    injectors_open(0, angle, fuel);
    fusee_compute(20000);
    return 0;
}
