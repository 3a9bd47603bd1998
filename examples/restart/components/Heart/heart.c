#include <camkes.h>
#include <stdio.h>

static int beats;

int run(void)
{
    if (++beats % 10 == 0) {
        printf("%d beats\n", beats);
    }
    return 0;
}
