#include <camkes.h>

int store_put(int value)
{
    return *(volatile int *)0 + value;
}
