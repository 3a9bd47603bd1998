#include <camkes.h>

static int shared, alone = 100;

int shared_next(int step)
{
    return shared += step;
}

int alone_next(int step)
{
    return alone += step;
}
