#include <camkes.h>

int run(void)
{
    int now = (int)clock_now();
    fusee_compute(4500000);
    fusee_compute(4500000);
    log_put(now);
    fusee_compute(3700000);
    storage_write(3, now);
    fusee_compute(750000);
    return 0;
}
