/* Lets the sender go on when everybody else waits. */
#include <camkes.h>

int run(void)
{
    for (;;) {
        back_emit();
    }
}
