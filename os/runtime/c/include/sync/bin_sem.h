/*
 * A binary semaphore over a notification that the component waits for and signals itself.
 *
 * The kernel is only asked when somebody waits: the value is 1 if it is free, and -n
 * while n threads wait.
 */
#pragma once

#include <sel4/sel4.h>

typedef struct {
    seL4_CPtr notification;
    volatile int value;
} sync_bin_sem_t;

static inline int sync_bin_sem_bare_wait(seL4_CPtr notification, volatile int *value)
{
    if (__atomic_sub_fetch(value, 1, __ATOMIC_ACQ_REL) < 0) {
        seL4_Wait(notification, NULL);
    }
    return 0;
}

static inline int sync_bin_sem_bare_post(seL4_CPtr notification, volatile int *value)
{
    int known = __atomic_load_n(value, __ATOMIC_ACQUIRE);
    do {
        if (known == 1) {
            return 0;
        }
    } while (!__atomic_compare_exchange_n(value, &known, known + 1, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE));
    if (known < 0) {
        seL4_Signal(notification);
    }
    return 0;
}

static inline int sync_bin_sem_init(sync_bin_sem_t *semaphore, seL4_CPtr notification, int value)
{
    if (semaphore == NULL || value < 0 || value > 1) {
        return -1;
    }
    semaphore->notification = notification;
    semaphore->value = value;
    return 0;
}

static inline int sync_bin_sem_wait(sync_bin_sem_t *semaphore)
{
    return semaphore == NULL ? -1 : sync_bin_sem_bare_wait(semaphore->notification, &semaphore->value);
}

static inline int sync_bin_sem_post(sync_bin_sem_t *semaphore)
{
    return semaphore == NULL ? -1 : sync_bin_sem_bare_post(semaphore->notification, &semaphore->value);
}
