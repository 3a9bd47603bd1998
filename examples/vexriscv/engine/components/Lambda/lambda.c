#include <camkes.h>

int run(void)
{
    fusee_compute(150000);
    maps_lookup(5, signals_slow(3), 0);
    fusee_compute(190000);
    return 0;
}
