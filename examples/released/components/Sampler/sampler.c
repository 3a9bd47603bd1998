#include <camkes.h>

int run(void)
{
    measured_emit();
    return 0;
}
