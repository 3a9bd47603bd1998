#include <camkes.h>

int run(void)
{
    fusee_compute(20000);
    return 0;
}
