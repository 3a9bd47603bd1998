#include <camkes.h>

/* Sets up the transactions of the next bus cycle: 5 ms. */
int run(void)
{
    fusee_compute(5000000 - 100);
    return 0;
}
