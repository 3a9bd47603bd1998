/* Lets the others go on when nobody can. */
#include <camkes.h>

int run(void)
{
    leave_emit();
    go_emit();
    return 0;
}
