#include <camkes.h>

int run(void)
{
    fusee_compute(150000);
    return 0;
}
