/* Says when it is entered, and when it returns. */
#include <camkes.h>
#include "measure.h"

uint64_t below_stamp(void)
{
    return fusee_now();
}

uint64_t below_late(void)
{
    disturb();
    return fusee_now();
}
