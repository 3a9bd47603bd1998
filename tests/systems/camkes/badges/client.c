#include <camkes.h>
#include <stdio.h>
int run(void)
{
    printf("%d, %d\n", p_who(), q_who());
    return 0;
}
