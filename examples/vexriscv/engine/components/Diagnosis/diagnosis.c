#include <camkes.h>

int run(void)
{
    fusee_compute(2200000);
    int sensor = signals_slow(9);
    fusee_compute(3700000);
    faults_report(2, sensor);
    log_put(sensor);
    fusee_compute(750000);
    return 0;
}
