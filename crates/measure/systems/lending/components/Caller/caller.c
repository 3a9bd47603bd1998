/* Goes inside, or waits for that. */
#include <camkes.h>

int run(void)
{
    held_hold();
    return 0;
}
