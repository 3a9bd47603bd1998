/* Stands for the motors: limits what it is told. */
#include <camkes.h>

static volatile int now;

void thrust_set(int wanted)
{
    now = wanted < 0 ? 0 : wanted > 1000 ? 1000 : wanted;
}
