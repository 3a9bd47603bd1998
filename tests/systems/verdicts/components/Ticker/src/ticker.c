#include <camkes.h>

int run(void)
{
    tock_emit();
    return 0;
}
