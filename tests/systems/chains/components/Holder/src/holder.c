/* Is inside first. */
#include <camkes.h>

int run(void)
{
    inwards_hold();
    return 0;
}
