#include <camkes.h>

int run(void)
{
    fusee_compute(75000);
    int pedal = signals_fast(2);
    fusee_compute(90000);
    valves_position(0, pedal);
    fusee_compute(20000);
    return 0;
}
