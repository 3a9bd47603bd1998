#include <camkes.h>

/* Sets up the transactions of the next bus cycle. */
int run(void)
{
    fusee_compute(40000);
    return 0;
}
