#include <camkes.h>

int run(void)
{
    ready_emit();
    done_emit_underlying();
    return 0;
}
