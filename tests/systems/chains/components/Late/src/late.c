/* Lets the others go on when nobody can. */
#include "../../../../cold.h"
#include <camkes.h>

int run(void)
{
    cold();
    leave_emit();
    cold();
    go_emit();
    return 0;
}
