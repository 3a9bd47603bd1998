#include <camkes.h>
#include <stdio.h>

/* It never ends, and says whenever it has had a millisecond. */
int run(void)
{
    for (;;) {
        fusee_compute(1000000);
        printf("1 ms\n");
    }
}
