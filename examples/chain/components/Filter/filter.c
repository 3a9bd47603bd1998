#include <camkes.h>

int run(void)
{
    raw_acquire();
    int sample = *(volatile int *)raw;
    *(volatile int *)level += (sample - *(volatile int *)level) / 2;
    level_release();
    return 0;
}
