/* A store that keeps whoever comes, and asks for what it may not. */

#include <camkes.h>
#include <fusee.h>

static uint32_t calls;

void data_go(void)
{
    calls++;
    (void)fusee_operation(calls % 16, calls % 5);
    if (calls % 3 > 0) {
        fusee_compute(calls % 3 == 1 ? 3000000 : 100000);
    }
}
