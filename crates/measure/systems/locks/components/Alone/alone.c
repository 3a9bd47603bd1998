/* Has the lock measured while nobody else wants it. */
#include <camkes.h>

int run(void)
{
    held_pairs();
    return 0;
}
