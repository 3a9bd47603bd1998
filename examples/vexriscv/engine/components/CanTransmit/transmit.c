#include <camkes.h>

int run(void)
{
    int value = signals_slow(10);
    fusee_compute(150000);
    can_send(1, (uint64_t)value);
    fusee_compute(75000);
    can_send(2, (uint64_t)value);
    fusee_compute(40000);
    return 0;
}
