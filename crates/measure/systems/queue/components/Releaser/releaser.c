/* Ends the wait of the one inside. */
#include <camkes.h>

int run(void)
{
    go_emit();
    return 0;
}
