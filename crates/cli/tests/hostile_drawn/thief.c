/* A store that keeps whoever comes, asks for what it may not, and faults. */

#include <camkes.h>
#include <fusee.h>

static uint32_t calls;

void data_go(void)
{
    calls++;
    if (calls % 7 == 6) {
        __asm__ volatile(".word 0");
    }
    (void)fusee_operation(calls % 16, calls % 5);
    if (calls % 3 > 0) {
        fusee_compute(calls % 3 == 1 ? 3000000 : 100000);
    }
}
