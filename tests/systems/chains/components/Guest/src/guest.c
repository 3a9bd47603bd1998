/* Comes while somebody is inside, with a long message. */
#include "../../../../cold.h"
#include "../../longest.h"

static uint8_t message[LONGEST];

int run(void)
{
    cold();
    sidewards_touch(sizeof message, message);
    return 0;
}
