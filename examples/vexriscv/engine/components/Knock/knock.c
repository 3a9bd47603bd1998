#include <camkes.h>

int run(void)
{
    int before = signals_fast(4);
    fusee_compute(340000);
    int after = signals_fast(4);
    fusee_compute(340000);
    return after - before > 1000;
}
