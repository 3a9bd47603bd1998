/* The outer of two gates. */
#include "../../../../cold.h"
#include <camkes.h>

void outwards_go(void)
{
    cold();
    inwards_nothing();
}

void outwards_nothing(void)
{
}

void outwards_touch(size_t a_sz, const uint8_t *a)
{
    (void)a_sz;
    (void)a;
}
