/*
 * Lists of threads that wait, for lock components: first come, first served.
 */
#pragma once

#include <fusee/lock.h>

#define FUSEE_LOCKS 8
#define FUSEE_WAITERS 64

/* The first `count` of them; what is behind these means nothing, and is not to be set. */
struct fusee_waiters {
    uint16_t count;
    uint16_t threads[FUSEE_WAITERS];
};

/* At the end; false: there are too many. */
static inline bool fusee_append(struct fusee_waiters *list, unsigned thread)
{
    if (list->count == FUSEE_WAITERS) {
        return false;
    }
    list->threads[list->count++] = (uint16_t)thread;
    return true;
}

/* Wherever it is, if it is there. */
static inline void fusee_remove(struct fusee_waiters *list, unsigned thread)
{
    unsigned to = 0;
    for (unsigned from = 0; from < list->count; from++) {
        if (list->threads[from] != thread) {
            list->threads[to++] = list->threads[from];
        }
    }
    list->count = (uint16_t)to;
}

/* A copy, so that nothing is looked at outside of a section. */
static inline void fusee_copy(struct fusee_waiters *to, const struct fusee_waiters *from)
{
    to->count = from->count;
    for (unsigned i = 0; i < from->count; i++) {
        to->threads[i] = from->threads[i];
    }
}
