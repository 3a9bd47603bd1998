/* Takes the core for a long time. */
#include <camkes.h>
#include "measure.h"

int run(void)
{
    uint64_t end = fusee_now() + @long@;
    while (fusee_now() < end) {
        walk();
    }
    return 0;
}
