/* Comes first, and stays inside while others come. */
#include <camkes.h>

int run(void)
{
    section_hold();
    return 0;
}
