#include <camkes.h>

/* Around fusee_compute: the entry's call, this function, the end of the job. */
#define AROUND 8

int run(void)
{
    fusee_compute(instructions - AROUND);
    return 0;
}
