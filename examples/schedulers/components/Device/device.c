#include <camkes.h>

int run(void)
{
    happened_emit();
    return 0;
}
