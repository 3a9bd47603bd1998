#include <camkes.h>

int run(void)
{
    fusee_compute(500000);
    return 0;
}
