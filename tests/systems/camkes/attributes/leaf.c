#include <camkes.h>
#include <stdio.h>

int run(void)
{
    int sum = 0;
    for (size_t i = 0; i < (sizeof (int[])list_DEF) / sizeof(int); i++) {
        sum += list[i];
    }
    printf("%s %d %d %d..%d\n", name, number, sum, limits.low, limits.high);
    return 0;
}
