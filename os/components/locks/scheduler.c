#include <camkes.h>

#define SECTIONS 4
#define THREADS 256

/* Somebody waits for the section. */
#define CONTENDED (1U << 31)

/* For each section who is in it, and one more. */
static uint32_t inside[SECTIONS];

/* Who waits: each is there before it marks the word, and is woken by whoever leaves after that. */
static uint8_t waits[SECTIONS][THREADS];

/* A contender lets who is inside run at once, and tries again when that has left. */
int scheduling_enter(int section)
{
    unsigned me = fusee_thread_number();
    for (;;) {
        uint32_t owner = 0;
        if (__atomic_compare_exchange_n(&inside[section], &owner, me + 1, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED)) {
            return 0;
        }
        if (owner == 0) {
            continue;
        }
        waits[section][me] = 1;
        uint32_t marked = owner | CONTENDED;
        if (!__atomic_compare_exchange_n(&inside[section], &owner, marked, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
            continue;
        }
        int how = fusee_depend((marked & ~CONTENDED) - 1);
        if (how == FUSEE_REFUSED) {
            return -1;
        }
        if (how == FUSEE_GONE) {
            /* It has ended its job inside. */
            __atomic_compare_exchange_n(&inside[section], &marked, 0, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
        }
    }
}

int scheduling_leave(int section)
{
    uint32_t was = __atomic_exchange_n(&inside[section], 0, __ATOMIC_RELEASE);
    if ((was & CONTENDED) == 0) {
        return 0;
    }
    for (unsigned thread = 0; thread < fusee_thread_count; thread++) {
        if (waits[section][thread] != 0) {
            waits[section][thread] = 0;
            fusee_wake(thread);
        }
    }
    return 0;
}

int scheduling_block(int thread)
{
    return fusee_depend((unsigned)thread);
}

int scheduling_wakeup(int thread)
{
    return fusee_wake((unsigned)thread) ? 0 : -1;
}

int scheduling_priority(int thread)
{
    return (unsigned)thread < fusee_thread_count ? fusee_thread_priorities[thread] : 0;
}
