/* Holds the lock whenever it can. */
#include <camkes.h>

int run(void)
{
    for (;;) {
        held_hold();
    }
}
