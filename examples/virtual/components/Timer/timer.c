#include <camkes.h>

/* One tick: called once in every period. */
int run(void)
{
    happened_emit();
    return 0;
}
