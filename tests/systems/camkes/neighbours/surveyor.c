#include <camkes.h>
#include <stdio.h>

extern char *morecore_area;
extern size_t morecore_size;

int run(void)
{
    printf("mine is %zu bytes\n", morecore_size);
    printf("the owner has %zu\n", land_measure((uintptr_t)morecore_area, morecore_size));
    char *house = malloc(5000);
    printf("there is room to build: %s\n", house != NULL ? "yes" : "no");
    free(house);
    return 0;
}
