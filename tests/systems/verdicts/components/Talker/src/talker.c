#include <camkes.h>
#include <stdio.h>

int run(void)
{
    for (int i = 0; i < 4000; i++) {
        printf("still here\n");
    }
    return 0;
}
