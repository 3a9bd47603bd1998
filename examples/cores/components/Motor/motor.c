/* Keeps the motor at its speed: a proportional and integral controller. */
#include <camkes.h>

static int speed, sum;

int run(void)
{
    int error = 1000 - speed;
    sum += error / 16;
    speed += (error + sum) / 8;
    return 0;
}
