#include <camkes.h>

int p_read(int offset)
{
    static int number = 4;
    volatile int *address = offset == 0 ? &number : (int *)8;
    return *address;
}
