#include <camkes.h>
#include <stdio.h>

static unsigned factorial(unsigned n)
{
    return n < 2 ? 1 : n * factorial(n - 1);
}

static unsigned twice(unsigned n)
{
    return 2 * n;
}

int run(void)
{
    unsigned (*functions[])(unsigned) = {factorial, twice};
    for (volatile int i = 0; i < 2; i++) {
        printf("%u\n", functions[i](10));
    }
    return 0;
}
