#include <camkes.h>

int run(void)
{
    fusee_compute(220000);
    int wish = maps_lookup(3, signals_fast(2), *(volatile int *)requests);
    fusee_compute(260000);
    maps_lookup(4, wish, 0);
    fusee_compute(75000);
    return 0;
}
