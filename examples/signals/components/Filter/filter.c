#include <camkes.h>
#include <stdio.h>

/* One job for each sample: none comes twice. */
int run(void)
{
    volatile int *taken = (volatile int *)raw, *filtered = (volatile int *)smooth;
    raw_acquire();
    if (++*filtered > *taken)
        printf("%d samples, and %d are filtered\n", *taken, *filtered);
    smooth_release();
    filtered_emit();
    return 0;
}
