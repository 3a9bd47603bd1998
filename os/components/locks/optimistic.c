#include <camkes.h>
#include <fusee/waiters.h>

struct lock {
    int epoch; /* moves with each release that somebody may have waited for */
    struct fusee_waiters list;
};

static struct lock all[FUSEE_LOCKS];

int locks_pretake(int number)
{
    if (number < 0 || number >= FUSEE_LOCKS || scheduler_enter(section) != 0) {
        return -1;
    }
    int epoch = all[number].epoch;
    scheduler_leave(section);
    return epoch;
}

/* Sleeps on the owner's account, unless the lock has been released since the epoch was told. */
int locks_take(int number, int owner, int epoch)
{
    if (number < 0 || number >= FUSEE_LOCKS || scheduler_enter(section) != 0) {
        return FUSEE_REFUSED;
    }
    struct lock *lock = &all[number];
    unsigned me = fusee_thread_number();
    bool waits = lock->epoch == epoch, full = false;
    if (waits) {
        /* Who was woken for something else is in the list. */
        fusee_remove(&lock->list, me);
        full = !fusee_append(&lock->list, me);
    }
    scheduler_leave(section);
    if (full) {
        return FUSEE_REFUSED;
    }
    if (!waits) {
        return FUSEE_WOKEN;
    }
    int how = scheduler_block(owner);
    if (how != FUSEE_WOKEN) {
        scheduler_enter(section);
        fusee_remove(&lock->list, me);
        scheduler_leave(section);
    }
    return how;
}

/* Moves the epoch and wakes all, who try again. */
int locks_release(int number)
{
    if (number < 0 || number >= FUSEE_LOCKS || scheduler_enter(section) != 0) {
        return -1;
    }
    struct lock *lock = &all[number];
    struct fusee_waiters woken;
    lock->epoch = (int)((unsigned)lock->epoch + 1) & INT32_MAX;
    fusee_copy(&woken, &lock->list);
    lock->list.count = 0;
    scheduler_leave(section);
    for (unsigned i = 0; i < woken.count; i++) {
        scheduler_wakeup(woken.threads[i]);
    }
    return 0;
}
