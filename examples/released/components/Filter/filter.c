#include <camkes.h>

static unsigned noise = 1;

static int sample(void)
{
    noise = noise * 1664525 + 1013904223;
    return (int)(noise >> 24);
}

int run(void)
{
    /* Done once, before the first event. */
    int mean = sample();

    while (1) {
        measured_wait();
        mean += (sample() - mean) / 4;
        filtered_emit();
    }
}
