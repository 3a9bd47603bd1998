#include <camkes.h>
#include <stdio.h>

/* One job: called once in every period. */
int run(void)
{
    uint64_t begun = fusee_now();
    fusee_compute(900000);
    printf("steady ran %llu us\n", (unsigned long long)((fusee_now() - begun) / 1000));
    return 0;
}
