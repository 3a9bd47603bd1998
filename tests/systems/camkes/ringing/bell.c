#include <camkes.h>

int run(void)
{
    rung_emit();
    again_emit();
    again_emit();
    rung_emit();
    return 0;
}
