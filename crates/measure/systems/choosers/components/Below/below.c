/* Sees in the clock when somebody above it was at work, and how long ago a job ended then. */
#include <camkes.h>
#include "measure.h"

#define RUNS (@bursts@ - 3)
#define GAP @gap@

int run(void)
{
    volatile uint32_t *ended = (volatile uint32_t *)board;
    struct path idle = {0};
    uint32_t last = (uint32_t)fusee_now();
    while (idle.runs < RUNS) {
        uint32_t now = (uint32_t)fusee_now();
        if (now - last > GAP && *ended > last) {
            count(&idle, now - *ended - 1);
            now = (uint32_t)fusee_now();
        }
        last = now;
    }
    print_path("@idle@", &idle);
    return 0;
}
