#include <camkes.h>

int work_run(int amount)
{
    fusee_compute(8000);
    return amount + 1;
}
