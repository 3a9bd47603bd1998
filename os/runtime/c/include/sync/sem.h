/* A counting semaphore over a notification that keeps each signal until it is taken. */
#pragma once

#include <sel4/sel4.h>

typedef struct {
    seL4_CPtr notification;
    volatile int value;
} sync_sem_t;

static inline int sync_sem_init(sync_sem_t *semaphore, seL4_CPtr notification, int value)
{
    if (semaphore == NULL || value < 0) {
        return -1;
    }
    semaphore->notification = notification;
    semaphore->value = value;
    return 0;
}

static inline int sync_sem_wait(sync_sem_t *semaphore)
{
    if (__atomic_sub_fetch(&semaphore->value, 1, __ATOMIC_ACQ_REL) < 0) {
        seL4_Wait(semaphore->notification, NULL);
    }
    return 0;
}

static inline int sync_sem_trywait(sync_sem_t *semaphore)
{
    int known = __atomic_load_n(&semaphore->value, __ATOMIC_ACQUIRE);
    while (known > 0) {
        if (__atomic_compare_exchange_n(&semaphore->value, &known, known - 1, 0, __ATOMIC_ACQ_REL,
                                        __ATOMIC_ACQUIRE)) {
            return 0;
        }
    }
    return -1;
}

static inline int sync_sem_post(sync_sem_t *semaphore)
{
    if (__atomic_fetch_add(&semaphore->value, 1, __ATOMIC_ACQ_REL) < 0) {
        seL4_Signal(semaphore->notification);
    }
    return 0;
}
