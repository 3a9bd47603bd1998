#include <assert.h>
#include <camkes.h>
#include <stdio.h>

extern char *morecore_area;
extern size_t morecore_size;

size_t land_measure(uintptr_t start, size_t size)
{
    uintptr_t own = (uintptr_t)morecore_area;
    printf("no fence is crossed: %s\n", own + morecore_size <= start || start + size <= own ? "yes" : "no");
    return morecore_size;
}
