#include <camkes.h>
#include <stdio.h>

int run(void)
{
    printf("\033[32mevery bound held\rin mid-line");
    return 0;
}
