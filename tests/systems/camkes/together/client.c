#include <camkes.h>
#include <stdio.h>
int run(void)
{
    printf("%d, %d\n", h_half(84), h_half(-9));
    return 0;
}
