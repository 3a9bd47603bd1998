#include <camkes.h>

int run(void)
{
    fusee_compute(300000);
    return 0;
}
