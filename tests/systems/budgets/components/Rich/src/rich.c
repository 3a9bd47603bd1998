/* Comes while somebody is inside, with a long message. */
#include "../../budgets.h"

static uint8_t message[LONGEST];

int run(void)
{
    cold();
    wide_touch(sizeof message, message);
    cold();
    return 0;
}
