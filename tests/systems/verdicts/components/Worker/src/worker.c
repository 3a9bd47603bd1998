#include <camkes.h>

int run(void)
{
    fusee_compute(1000);
    return 0;
}
