/* Lets the others go on when nobody can. */
#include "../../../../cold.h"
#include "../../rounds.h"
#include <camkes.h>

static unsigned jobs;

int run(void)
{
    cold();
    leave_emit();
    if (round_of(&jobs) == LOCK) {
        cold();
        go_emit();
    }
    return 0;
}
