/* Locks, and unlocks in another order, or not at all. */
#include <camkes.h>

int run(void)
{
    switch (how) {
    case 1: /* hand over hand */
        first_lock();
        second_lock();
        first_unlock();
        second_unlock();
        break;
    case 2: /* forgotten */
        second_lock();
        break;
    case 4: /* as they were locked: two refusals */
        first_lock();
        second_lock();
        third_lock();
        first_unlock();
        second_unlock();
        third_unlock();
        break;
    case 5: /* a breakpoint of its own, in good order */
        first_lock();
        first_unlock();
        __builtin_trap();
    default:
        act_once();
        break;
    }
    return 0;
}
