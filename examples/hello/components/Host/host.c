#include <camkes.h>
#include <stdio.h>

static int visitors;

int greeting_greet(const char *visitor)
{
    visitors++;
    printf("Good morning, %s; you are number %d.\n", visitor, visitors);
    return visitors;
}
