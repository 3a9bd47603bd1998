/* Comes while somebody is inside, with a long message. */
#include "../../longest.h"

static uint8_t message[LONGEST];

int run(void)
{
    sidewards_touch(sizeof message, message);
    return 0;
}
