#include <camkes.h>
#include <fusee/waiters.h>

struct lock {
    int owner; /* its thread and one more; 0: nobody */
    struct fusee_waiters list;
};

static struct lock all[FUSEE_LOCKS];

/* Gives a lock to who has asked first, inside of the section; answers whom it has. */
static int hand_over(struct lock *lock)
{
    lock->owner = 0;
    if (lock->list.count > 0) {
        lock->owner = lock->list.threads[0] + 1;
        fusee_remove(&lock->list, lock->list.threads[0]);
    }
    return lock->owner;
}

/*
 * Wakes the new owner, and all who still wait: each then sleeps on the new owner's account, when it
 * would run. So nobody's urgency stays with who has left.
 */
static void tell(int owner, const struct fusee_waiters *others)
{
    if (owner != 0) {
        scheduler_wakeup(owner - 1);
    }
    for (unsigned i = 0; i < others->count; i++) {
        scheduler_wakeup(others->threads[i]);
    }
}

int locks_take(int number)
{
    if (number < 0 || number >= FUSEE_LOCKS || scheduler_enter(section) != 0) {
        return -1;
    }
    struct lock *lock = &all[number];
    int me = (int)fusee_thread_number(), owner = lock->owner;
    if (owner == 0) {
        lock->owner = me + 1;
    }
    bool waits = owner != 0 && owner != me + 1 && fusee_append(&lock->list, (unsigned)me);
    scheduler_leave(section);
    if (!waits) {
        return owner == 0 ? 0 : -1;
    }
    for (;;) {
        int how = scheduler_block(owner - 1);
        if (__atomic_load_n(&lock->owner, __ATOMIC_ACQUIRE) == me + 1) {
            return 0;
        }
        struct fusee_waiters others;
        others.count = 0;
        bool died = false;
        scheduler_enter(section);
        if (how == FUSEE_REFUSED) {
            fusee_remove(&lock->list, (unsigned)me);
        } else if (how == FUSEE_GONE && lock->owner == owner) {
            /* The owner's job has ended with the lock. */
            hand_over(lock);
            fusee_copy(&others, &lock->list);
            died = true;
        }
        owner = lock->owner;
        scheduler_leave(section);
        if (died) {
            tell(owner == me + 1 ? 0 : owner, &others);
        }
        if (how == FUSEE_REFUSED) {
            return -1;
        }
        if (owner == me + 1) {
            return died ? 1 : 0;
        }
    }
}

int locks_release(int number)
{
    if (number < 0 || number >= FUSEE_LOCKS || scheduler_enter(section) != 0) {
        return -1;
    }
    struct lock *lock = &all[number];
    struct fusee_waiters others;
    others.count = 0;
    int next = 0;
    bool mine = lock->owner == (int)fusee_thread_number() + 1;
    if (mine) {
        next = hand_over(lock);
        fusee_copy(&others, &lock->list);
    }
    scheduler_leave(section);
    tell(next, &others);
    return mine ? 0 : -1;
}
