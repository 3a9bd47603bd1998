/* Signals everybody, so that nobody waits for ever. */

#include <camkes.h>

int run(void)
{
    tick_emit();
    return 0;
}
