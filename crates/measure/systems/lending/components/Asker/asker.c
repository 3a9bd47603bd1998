/* Says when it asks. */
#include <camkes.h>

int run(void)
{
    *(volatile uint32_t *)board = (uint32_t)fusee_now();
    held_hold();
    return 0;
}
