/* The inner of two gates. */
#include "../../../../cold.h"
#include <camkes.h>

void inwards_hold(void)
{
    cold();
    go_wait();
    cold();
}

void inwards_nothing(void)
{
}
