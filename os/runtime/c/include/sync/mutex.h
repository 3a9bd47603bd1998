/* A lock over a notification: a binary semaphore that is free at first. */
#pragma once

#include <sync/bin_sem.h>

typedef sync_bin_sem_t sync_mutex_t;

static inline int sync_mutex_init(sync_mutex_t *mutex, seL4_CPtr notification)
{
    return sync_bin_sem_init(mutex, notification, 1);
}

static inline int sync_mutex_lock(sync_mutex_t *mutex)
{
    return sync_bin_sem_wait(mutex);
}

static inline int sync_mutex_unlock(sync_mutex_t *mutex)
{
    return sync_bin_sem_post(mutex);
}
