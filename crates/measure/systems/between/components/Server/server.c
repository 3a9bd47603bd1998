/* A section that lasts, and one that does nothing. */
#include <camkes.h>
#include "measure.h"

void section_hold(void)
{
    @lock@
    uint64_t end = fusee_now() + @hold@;
    while (fusee_now() < end) {
        walk();
    }
    @unlock@
}

void section_touch(void)
{
    @lock@
    disturb();
    @unlock@
}
