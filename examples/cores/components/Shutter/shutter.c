/* Opens and closes on time. */
#include <camkes.h>

static int is_open;

int run(void)
{
    is_open = !is_open;
    return 0;
}
