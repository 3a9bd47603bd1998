/* Leaves one gate and waits at another, with and without a long message. */
#include "../../longest.h"

static uint8_t message[LONGEST];
static unsigned jobs;

int run(void)
{
    sidewards_hold();
    if (jobs++ % 2 == 0) {
        outwards_nothing();
    } else {
        outwards_touch(sizeof message, message);
    }
    return 0;
}
