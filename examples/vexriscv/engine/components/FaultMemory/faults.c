#include <camkes.h>

static int reported;

int faults_report(int code, int severity)
{
    reported++;
    fusee_compute(15000);
    return storage_write(code, severity);
}

int faults_count(void)
{
    return reported;
}
