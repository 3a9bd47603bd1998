#include <camkes.h>

static int history;

/* A first-order low pass, in sixteenths. */
int filtering_filter(int sample)
{
    history += (sample * 16 - history) / 4;
    return history / 16;
}
