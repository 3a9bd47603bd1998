/* A gate that asks for the next one. */
#include <camkes.h>

void up_hold(void)
{
    down_hold();
}
