/* Waits for a call of somebody higher, again and again. */
#include <camkes.h>

int run(void)
{
    for (;;) {
        call_wait();
    }
}
