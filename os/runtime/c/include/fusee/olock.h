/*
 * The client's half of an optimistic lock (Parmer and Song 2010, Algorithm 2, repaired): a word says
 * who has the lock, and only who finds it taken asks the component `LockOptimistic`.
 *
 * FUSEE_OPTIMISTIC(locks) for an interface `locks` makes locks_lock() and locks_unlock(), which take
 * a word of the client's own, 0 at first, and the lock's number. They answer as lock components do.
 */
#pragma once

#include <fusee/lock.h>

/* Somebody may wait. */
#define FUSEE_CONTENDED (1U << 31)

static inline bool fusee_exchange(uint32_t *word, uint32_t from, uint32_t to)
{
    return __atomic_compare_exchange_n(word, &from, to, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED);
}

#define FUSEE_OPTIMISTIC(interface)                                                               \
    static inline int interface##_lock(uint32_t *word, int number)                                \
    {                                                                                             \
        uint32_t me = fusee_self;                                                                 \
        while (!fusee_exchange(word, 0, me)) {                                                    \
            int epoch = interface##_pretake(number);                                              \
            uint32_t seen = __atomic_load_n(word, __ATOMIC_RELAXED);                              \
            uint32_t owner = seen & ~FUSEE_CONTENDED;                                             \
            if (owner == me || epoch < 0) {                                                       \
                return -1;                                                                        \
            }                                                                                     \
            if (owner == 0 || !fusee_exchange(word, seen, seen | FUSEE_CONTENDED)) {              \
                continue;                                                                         \
            }                                                                                     \
            int how = interface##_take(number, (int)owner - 1, epoch);                            \
            if (how == FUSEE_REFUSED) {                                                           \
                return -1;                                                                        \
            }                                                                                     \
            if (how == FUSEE_GONE && fusee_exchange(word, owner | FUSEE_CONTENDED, me | FUSEE_CONTENDED)) { \
                return 1;                                                                         \
            }                                                                                     \
        }                                                                                         \
        return 0;                                                                                 \
    }                                                                                             \
                                                                                                  \
    static inline int interface##_unlock(uint32_t *word, int number)                              \
    {                                                                                             \
        uint32_t me = fusee_self;                                                                 \
        if (fusee_exchange(word, me, 0)) {                                                        \
            return 0;                                                                             \
        }                                                                                         \
        if (!fusee_exchange(word, me | FUSEE_CONTENDED, 0)) {                                     \
            return -1;                                                                            \
        }                                                                                         \
        return interface##_release(number);                                                       \
    }
