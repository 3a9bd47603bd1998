#include <camkes.h>

int run(void)
{
    int angle = (int)((volatile engine_state_t *)state)->angle_millidegrees;
    fusee_compute(30000);
    angle += maps_lookup(0, signals_fast(0), angle);
    fusee_compute(30000);
    coils_fire(0, angle);
    fusee_compute(15000);
    return 0;
}
