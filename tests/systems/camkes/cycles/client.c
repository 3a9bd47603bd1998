#include <camkes.h>
#include <sel4bench/sel4bench.h>
#include <stdio.h>

static ccnt_t taken(unsigned int count, unsigned int *sum)
{
    ccnt_t start = sel4bench_get_cycle_count();
    *sum = work_sum(count);
    return sel4bench_get_cycle_count() - start;
}

void pre_init(void)
{
    sel4bench_init();
}

int run(void)
{
    unsigned int little, much;
    ccnt_t first = taken(10, &little), second = taken(1000, &much);
    printf("%u and %u\n", little, much);
    printf("more work takes longer: %d\n", second > 10 * first);
    sel4bench_destroy();
    return 0;
}
