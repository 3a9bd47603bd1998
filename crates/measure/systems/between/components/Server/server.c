/* A section that lasts, and one that does nothing. */
#include <camkes.h>
#include "measure.h"

void section_hold(void)
{
    uint64_t end = fusee_now() + @hold@;
    while (fusee_now() < end) {
        walk();
    }
}

void section_touch(void)
{
    disturb();
}
