#include <camkes.h>
#include <fusee/waiters.h>

/* Who has each lock, and one more. */
static int owners[FUSEE_LOCKS];
static struct fusee_waiters list;

static int ceiling(int number)
{
    const int all[FUSEE_LOCKS] = {ceiling_0, ceiling_1, ceiling_2, ceiling_3, ceiling_4, ceiling_5, ceiling_6, ceiling_7};
    return all[number];
}

/* Who keeps a thread from a lock: its owner, or that of the lock with the highest ceiling; 0: nobody. */
static int bar(int number, int me)
{
    if (owners[number] != 0) {
        return owners[number];
    }
    int highest = -1, owner = 0;
    for (int other = 0; other < FUSEE_LOCKS; other++) {
        if (owners[other] != 0 && owners[other] != me + 1 && ceiling(other) > highest) {
            highest = ceiling(other);
            owner = owners[other];
        }
    }
    return scheduler_priority(me) > highest ? 0 : owner;
}

int locks_take(int number)
{
    int me = (int)fusee_thread_number(), how = FUSEE_WOKEN, before = 0, died = 0;
    if (number < 0 || number >= FUSEE_LOCKS) {
        return -1;
    }
    for (;;) {
        if (scheduler_enter(section) != 0) {
            return -1;
        }
        fusee_remove(&list, (unsigned)me);
        int by = how == FUSEE_REFUSED ? before : bar(number, me);
        if (how == FUSEE_GONE && by == before) {
            /* Its job has ended with locks that it has: they are free. */
            for (int other = 0; other < FUSEE_LOCKS; other++) {
                died |= owners[other] == by && other == number;
                owners[other] = owners[other] == by ? 0 : owners[other];
            }
            by = bar(number, me);
        }
        bool waits = by != 0 && by != me + 1 && how != FUSEE_REFUSED && fusee_append(&list, (unsigned)me);
        if (by == 0) {
            owners[number] = me + 1;
        }
        scheduler_leave(section);
        if (!waits) {
            return by == 0 ? died : -1;
        }
        before = by;
        how = scheduler_block(by - 1);
    }
}

/* Who has waited asks again, the most urgent first. */
int locks_release(int number)
{
    struct fusee_waiters woken;
    woken.count = 0;
    if (number < 0 || number >= FUSEE_LOCKS || scheduler_enter(section) != 0) {
        return -1;
    }
    bool mine = owners[number] == (int)fusee_thread_number() + 1;
    if (mine) {
        owners[number] = 0;
        fusee_copy(&woken, &list);
        list.count = 0;
    }
    scheduler_leave(section);
    for (unsigned i = 0; i < woken.count; i++) {
        scheduler_wakeup(woken.threads[i]);
    }
    return mine ? 0 : -1;
}
