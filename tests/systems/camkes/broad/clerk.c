#include <camkes.h>
#include <stdio.h>

int run(void)
{
    printf("%d bytes for notes\n", (int)sizeof *notes);
    return 0;
}
