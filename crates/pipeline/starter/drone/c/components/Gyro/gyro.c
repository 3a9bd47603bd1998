/* Measures how fast the drone turns, and says that there is something new. */
#include <camkes.h>

/* Stands for a sensor: noise around a slow swing. */
static int measured(void)
{
    static unsigned noise = 1, angle;
    noise = noise * 1664525 + 1013904223;
    angle += 3;
    return (int)(angle % 200) - 100 + (int)(noise >> 29);
}

/* One job: called once in every period. */
int run(void)
{
    state_put(measured());
    sampled_emit();
    return 0;
}
