/* Inside whenever it can be. */
#include <camkes.h>

int run(void)
{
    for (;;) {
        held_hold();
    }
}
