#include <camkes.h>

int run(void)
{
    struct fusee_event event;
    for (uint64_t period = fusee_now();; period += FUSEE_PERIOD) {
        uint64_t end = period;
        for (size_t slot = 0; slot < FUSEE_SLOTS; slot++) {
            end += fusee_slots[slot].amount;
            fusee_run_until(fusee_slots[slot].thread, FUSEE_THREAD, end);
        }
        while (fusee_now() < period + FUSEE_PERIOD) {
            fusee_receive(&event, period + FUSEE_PERIOD);
        }
    }
}
