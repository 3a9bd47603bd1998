/* Keeps what it is given. */
#include <camkes.h>

int run(void)
{
    struct fusee_event event;
    for (;;) {
        fusee_receive(&event, FUSEE_NEVER);
    }
}
