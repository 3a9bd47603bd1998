/* Prints the state, and writes its direction for the radio. */
#include <camkes.h>
#include <stdio.h>

int run(void)
{
    int rate = state_latest();
    *(volatile char *)frame = rate < 0 ? '-' : '+';
    printf("rate %d\n", rate);
    return 0;
}
