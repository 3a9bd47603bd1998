/* Sleeps until it is woken. */
#include <camkes.h>

int run(void)
{
    sleeping_sleep();
    return 0;
}
