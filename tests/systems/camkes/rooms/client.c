#include <camkes.h>
#include <stdio.h>
int run(void)
{
    printf("%d\n", p_shift(0));
    return 0;
}
