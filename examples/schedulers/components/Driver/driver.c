#include <camkes.h>

/* One interrupt. */
int run(void)
{
    fusee_compute(80000);
    return 0;
}
