#include <camkes.h>
#include <stdio.h>

int run(void)
{
    printf("Starting the client\n");
    p_say("hello world");
    printf("After the client\n");
    return 0;
}
