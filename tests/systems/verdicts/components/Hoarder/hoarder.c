#include <camkes.h>
#include <stdlib.h>

char *volatile kept[3];

int run(void)
{
    for (int i = 0; i < 3; i++) {
        kept[i] = malloc(1500);
    }
    return 0;
}
