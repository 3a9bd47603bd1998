#include <camkes.h>

int run(void)
{
    fusee_compute(3000000);
    return 0;
}
