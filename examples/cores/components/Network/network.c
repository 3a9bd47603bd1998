/* Tells the base what is near. */
#include <camkes.h>

static int told;

int run(void)
{
    told = map_read(0);
    log_append(told);
    return 0;
}
