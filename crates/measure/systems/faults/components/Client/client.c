/* Asks for it. */
#include <camkes.h>
#include "measure.h"

int run(void)
{
    struct path fault = {0};
    volatile uint64_t *shared = (volatile uint64_t *)board;
    for (int run = 0; run < 10000; run++) {
        (void)risk_take();
        count(&fault, fusee_now() - shared[0] - 1);
    }
    print_path("fault.@action@", &fault);
    return 0;
}
