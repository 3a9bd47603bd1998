#include <camkes.h>
#include <stdio.h>

int run(void)
{
    printf("called %d\n", desk_who());
    return 0;
}
