#include <camkes.h>

int signals_fast(int channel)
{
    fusee_compute(5000);
    return converter_sample(channel) / 2;
}

int signals_slow(int channel)
{
    int fast = converter_sample(channel);
    fusee_compute(8000);
    return fast / 2 + bus_transfer(channel, 1);
}
