/* Comes while somebody is inside. */
#include <camkes.h>

int run(void)
{
    inwards_nothing();
    return 0;
}
