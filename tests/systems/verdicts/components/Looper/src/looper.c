#include <camkes.h>

int run(void)
{
    for (;;) {
        tick_wait();
    }
}
