#include <camkes.h>

int h_half(int number)
{
    return number / 2;
}
