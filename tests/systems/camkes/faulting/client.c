#include <camkes.h>
#include <stdio.h>

int run(void)
{
    printf("%d\n", p_read(0));
    printf("%d\n", p_read(1));
    printf("%d\n", p_read(0));
    return 0;
}
