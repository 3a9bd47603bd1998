/* Holds the mutex most of the time. */
#include <camkes.h>

int run(void)
{
    for (;;) {
        bus_use(50021);
    }
}
