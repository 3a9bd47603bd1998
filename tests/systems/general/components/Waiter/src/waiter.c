/* Comes while somebody is inside, with a long message. */
#include "../../general.h"

static uint8_t message[LONGEST];

int run(void)
{
    cold();
    deep_touch(sizeof message, message);
    cold();
    return 0;
}
