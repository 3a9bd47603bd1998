/* The inner of two gates. */
#include <camkes.h>

void inwards_hold(void)
{
    go_wait();
}

void inwards_nothing(void)
{
}
