/* Goes inside, and further. */
#include <camkes.h>

int run(void)
{
    outwards_go();
    return 0;
}
