/* Holds the mutex whenever it can. */
#include <camkes.h>

int run(void)
{
    for (;;) {
        held_hold();
    }
}
