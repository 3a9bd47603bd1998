/* Keeps its only mutex if it is told to. */
#include <camkes.h>

void act_once(void)
{
    only_lock();
    if (how != 3) {
        only_unlock();
    }
}
