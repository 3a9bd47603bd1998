/* A level between others. */
#include <camkes.h>

void up_go(void)
{
    down_go();
}

void up_touch(void)
{
}
