#include <camkes.h>
#include <stdio.h>

/* One job: something of its own, then the store, then a little more. */
int run(void)
{
    fusee_compute(1000000 - 20000);
    if (writes) {
        data_write();
    } else {
        data_read();
    }
    printf("done\n");
    return 0;
}
