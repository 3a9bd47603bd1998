/* Leaves one gate and waits at another, with and without a long message. */
#include "../../../../cold.h"
#include "../../longest.h"

static uint8_t message[LONGEST];
static unsigned jobs;

int run(void)
{
    cold();
    sidewards_hold();
    if (jobs++ % 2 == 0) {
        cold();
        outwards_nothing();
    } else {
        cold();
        outwards_touch(sizeof message, message);
    }
    return 0;
}
