#include <camkes.h>

/* It never ends, and yields to nobody. */
int run(void)
{
    for (;;) {
        fusee_compute(1000000);
    }
}
