#include <camkes.h>

/* One job: called once in every period. */
int run(void)
{
    fusee_compute(90000);
    return 0;
}
