/* Counts after what it has got the mutex. */
#include <camkes.h>
#include <fusee.h>
#include <stdio.h>

static unsigned jobs, failed, refused;

int run(void)
{
    int before = bus_use(500);
    int error = fusee_take_error();
    if (error != 0) {
        refused++;
    } else if (before == 1) {
        failed++;
    } else if (before != 0) {
        printf("%d is no answer\n", before);
    }
    if (++jobs % 100 == 0) {
        printf("%u jobs, %u after a failure, %u ended\n", jobs, failed, refused);
    }
    return 0;
}
