/* Comes while somebody is inside. */
#include "../../../../cold.h"
#include <camkes.h>

int run(void)
{
    cold();
    inwards_nothing();
    return 0;
}
