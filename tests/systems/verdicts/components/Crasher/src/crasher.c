#include <camkes.h>

int run(void)
{
    *(volatile int *)0 = 1;
    return 0;
}
