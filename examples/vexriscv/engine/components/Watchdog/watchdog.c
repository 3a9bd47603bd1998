#include <camkes.h>

int run(void)
{
    fusee_compute(30000);
    device_kick();
    fusee_compute(30000);
    return 0;
}
