#include <camkes.h>

int run(void)
{
    int torque = signals_slow(8);
    fusee_compute(2600000);
    faults_report(1, torque);
    fusee_compute(75000);
    limp_home_emit();
    return 0;
}
