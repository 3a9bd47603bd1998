#include <camkes.h>
#include <stdio.h>

static int shown;

/* One job for each result. */
int run(void)
{
    volatile int *filtered = (volatile int *)smooth;
    smooth_acquire();
    if (++shown > *filtered)
        printf("%d results, and %d are shown\n", *filtered, shown);
    if (shown % 8 == 0)
        printf("%d results\n", shown);
    return 0;
}
