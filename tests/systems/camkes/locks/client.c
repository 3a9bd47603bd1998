#include <camkes.h>
#include <stdio.h>
int run(void)
{
    printf("%d\n", count_add(number));
    return 0;
}
