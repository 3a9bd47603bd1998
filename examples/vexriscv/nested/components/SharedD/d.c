#include <camkes.h>

int work_run(int amount)
{
    fusee_compute(6000);
    return e_run(amount);
}
