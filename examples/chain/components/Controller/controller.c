#include <camkes.h>

int run(void)
{
    level_acquire();
    int deviation = 100 - *(volatile int *)level;
    *(volatile int *)command = deviation > 0 ? deviation : 0;
    command_release();
    return 0;
}
