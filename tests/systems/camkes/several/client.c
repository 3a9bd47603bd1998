#include <camkes.h>
#include <stdio.h>
int run(void)
{
    int first = p_next(step);
    printf("%d, %d\n", first, p_next(step));
    return 0;
}
