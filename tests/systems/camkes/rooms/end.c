#include <camkes.h>

int plain_shift(int number)
{
    return number * 2;
}
