#include <camkes.h>

int scaling_scale(int value)
{
    return factor * value;
}
