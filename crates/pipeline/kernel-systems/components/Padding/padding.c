/* A thread that fills the system up. */
#include <camkes.h>

int run(void)
{
    return 0;
}
