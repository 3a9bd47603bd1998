#include <camkes.h>

int run(void)
{
    fusee_compute(1500000);
    int heat = signals_slow(7);
    fusee_compute(2200000);
    valves_position(3, heat);
    log_put(heat);
    fusee_compute(380000);
    return 0;
}
