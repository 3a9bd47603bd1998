#include <camkes.h>
#include <stdio.h>

void apply_apply(int opening)
{
    static int last = -1;
    if (opening / 25 != last / 25) {
        printf("the valve is open to %d\n", opening);
    }
    last = opening;
}
