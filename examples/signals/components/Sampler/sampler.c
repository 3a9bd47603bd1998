#include <camkes.h>

int run(void)
{
    volatile int *taken = (volatile int *)raw;
    for (int i = 0; i < 2; i++) {
        ++*taken;
        raw_release();
        sampled_emit();
    }
    return 0;
}
