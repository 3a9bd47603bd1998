/* Goes inside, and waits there for the next gate. */
#include <camkes.h>

int run(void)
{
    held_hold();
    return 0;
}
