#include <camkes.h>

/*
 * A slot. A scheduler in it needs time that it can give on; what it is given is worse than this
 * scheduler's own, so that it preempts nobody in another slot. Other threads run on this one's.
 */
static void run_slot(const struct fusee_slot *slot, uint64_t end)
{
    struct fusee_event event;
    while (fusee_now() < end) {
        fusee_word error = fusee_yield_until(slot->thread, FUSEE_THREAD, end, slot->priority + 1);
        if (error == FUSEE_NOT_ITS) {
            error = fusee_dispatch(slot->thread, FUSEE_THREAD, end);
        }
        if (error != 0 && error != FUSEE_PAST) {
            fusee_receive(&event, error == FUSEE_EVENTS ? 0 : end);
        }
    }
}

int run(void)
{
    struct fusee_event event;
    for (uint64_t period = fusee_now();; period += FUSEE_PERIOD) {
        uint64_t end = period;
        for (size_t slot = 0; slot < FUSEE_SLOTS; slot++) {
            end += fusee_slots[slot].amount;
            run_slot(&fusee_slots[slot], end);
        }
        while (fusee_now() < period + FUSEE_PERIOD) {
            fusee_receive(&event, period + FUSEE_PERIOD);
        }
    }
}
