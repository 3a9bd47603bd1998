/* A section that lasts, and one that does nothing. */
#include <camkes.h>
#include <fusee.h>

void section_hold(void)
{
    uint64_t end = fusee_now() + @hold@;
    while (fusee_now() < end) {
    }
}

void section_touch(void)
{
}
