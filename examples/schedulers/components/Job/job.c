#include <camkes.h>
#include <stdio.h>

/* One job: called once in every period. */
int run(void)
{
    fusee_compute((uintptr_t)ms * 1000000 - 20000);
    printf("done\n");
    return 0;
}
