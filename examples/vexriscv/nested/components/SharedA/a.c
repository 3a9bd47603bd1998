#include <camkes.h>

int work_run(int amount)
{
    fusee_compute(10000);
    return d_run(c_run(amount));
}
