#include <camkes.h>
#include <stdio.h>
#include <stdlib.h>

extern char *morecore_area;
extern size_t morecore_size;

int run(void)
{
    printf("%zu KiB\n", morecore_size / 1024);
    char *block = malloc(400 * 1024);
    printf("%d\n", block >= morecore_area && block < morecore_area + morecore_size);
    free(block);
    printf("%d\n", malloc(2 * 1024 * 1024) == NULL);
    return 0;
}
