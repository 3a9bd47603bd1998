#include <camkes.h>
#include <stdio.h>

/* Says how many of its jobs there have been. */
int run(void)
{
    static int jobs;
    printf("job %d\n", ++jobs);
    return 0;
}
