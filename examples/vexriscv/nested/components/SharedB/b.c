#include <camkes.h>

int work_run(int amount)
{
    fusee_compute(12000);
    return d_run(amount);
}
