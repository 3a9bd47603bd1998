/* Asks for it. */
#include <camkes.h>
#include "measure.h"

int run(void)
{
    struct path fault = {0}, entered = {0};
    volatile uint64_t *shared = (volatile uint64_t *)board;
    (void)risk_take();
    for (int run = 0; run < @runs@; run++) {
        disturb();
        uint64_t before = fusee_now();
        (void)risk_take();
        count(&fault, fusee_now() - shared[0] - 1);
        count(&entered, shared[0] - before - 1);
    }
    print_path("fault.@action@", &fault);
    print_path("enter.after_@action@", &entered);
    return 0;
}
