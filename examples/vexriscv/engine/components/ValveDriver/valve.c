#include <camkes.h>

int valves_position(int valve, int per_mille)
{
    fusee_compute(5000);
    return pwm_duty(valve, per_mille);
}
