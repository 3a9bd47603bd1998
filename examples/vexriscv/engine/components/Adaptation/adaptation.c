#include <camkes.h>

int run(void)
{
    fusee_compute(7500000);
    int value = maps_lookup(8, 1, 2);
    fusee_compute(7500000);
    fusee_compute(7500000);
    storage_write(1, value);
    fusee_compute(3700000);
    storage_write(2, value);
    fusee_compute(1500000);
    return 0;
}
