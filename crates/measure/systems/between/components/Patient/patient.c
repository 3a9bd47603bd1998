/* Takes the core for a long time. */
#include <camkes.h>
#include <fusee.h>

int run(void)
{
    uint64_t end = fusee_now() + @long@;
    while (fusee_now() < end) {
    }
    return 0;
}
