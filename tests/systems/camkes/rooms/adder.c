#include <camkes.h>

int plain_shift(int number)
{
    return next_shift(number + by);
}
