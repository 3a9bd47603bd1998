#include <camkes.h>

int run(void)
{
    fusee_compute(cycles);
    work_run(1);
    return 0;
}
