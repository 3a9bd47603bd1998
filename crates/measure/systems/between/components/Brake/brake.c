/* Takes the core for a short time. */
#include <camkes.h>
#include "measure.h"

int run(void)
{
    uint64_t end = fusee_now() + @short@;
    while (fusee_now() < end) {
        walk();
    }
    return 0;
}
