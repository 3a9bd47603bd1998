/*
 * Sees in the clock when somebody above it was at work, and how long ago a job ended then, or was
 * stopped. Says until when it has had the core.
 */
#include <camkes.h>
#include "measure.h"

#define RUNS (@bursts@ - 3)
#define GAP @gap@

int run(void)
{
    volatile uint32_t *ended = (volatile uint32_t *)board, *had = ended + 1;
    struct path idle = {0};
    uint32_t last = (uint32_t)fusee_now();
    for (;;) {
        uint32_t now = (uint32_t)fusee_now();
        if (now - last > GAP && *ended > last) {
            count(&idle, now - *ended - 1);
            if (idle.runs == RUNS) {
                print_path("@idle@", &idle);
            }
            now = (uint32_t)fusee_now();
        }
        *had = now;
        last = now;
    }
}
