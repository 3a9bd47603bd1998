/* Comes and goes. */
#include <camkes.h>

int run(void)
{
    section_touch();
    return 0;
}
