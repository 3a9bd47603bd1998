/*
 * A lock that is waited for by trying, also in memory that components share.
 *
 * Between two attempts the thread lets others of its priority run: on one core nobody
 * else could give the lock back meanwhile.
 */
#pragma once

#include <fusee.h>

typedef int sync_spinlock_t;

static inline int sync_spinlock_init(sync_spinlock_t *lock)
{
    if (lock == NULL) {
        return -1;
    }
    __atomic_store_n(lock, 0, __ATOMIC_RELEASE);
    return 0;
}

static inline int sync_spinlock_trylock(sync_spinlock_t *lock)
{
    return __atomic_exchange_n(lock, 1, __ATOMIC_ACQUIRE) == 0 ? 0 : -1;
}

static inline int sync_spinlock_lock(sync_spinlock_t *lock)
{
    while (sync_spinlock_trylock(lock) != 0) {
        fusee_yield();
    }
    return 0;
}

static inline int sync_spinlock_unlock(sync_spinlock_t *lock)
{
    __atomic_store_n(lock, 0, __ATOMIC_RELEASE);
    return 0;
}
