/*
 * What a component calls that makes locks: it lets threads sleep on each other's account, and wakes
 * them. It may if its description says `dependencies = true`.
 *
 * Threads have numbers. As long as one sleeps, the thread that it depends on inherits from it, and
 * whomever that one waits for.
 */
#pragma once

#include <fusee.h>
#include <stdbool.h>

#define FUSEE_DEPEND 15
#define FUSEE_WAKE 16

/* What fusee_depend() answers. */
#define FUSEE_WOKEN 0    /* by fusee_wake(), now or before it could sleep */
#define FUSEE_GONE 1     /* the other thread has no job, or its job has ended */
#define FUSEE_REFUSED 2  /* it would wait for itself, or may not name the other */

extern _Thread_local uint16_t fusee_self;
extern const uint16_t fusee_thread_slots[];
extern const uint16_t fusee_thread_count;
/* What the description says of each thread. */
extern const uint8_t fusee_thread_priorities[];

/* The number of the calling thread. */
static inline unsigned fusee_thread_number(void)
{
    return fusee_self - 1U;
}

/* Whether a thread may be named. */
static inline bool fusee_may_name(unsigned thread)
{
    return thread < fusee_thread_count && fusee_thread_slots[thread] != UINT16_MAX;
}

/* Sleeps on a thread's account, unless the caller has been woken since it last slept. */
static inline int fusee_depend(unsigned thread)
{
    if (!fusee_may_name(thread)) {
        return FUSEE_REFUSED;
    }
    struct fusee_answer answer = fusee_operation(FUSEE_DEPEND, fusee_thread_slots[thread]);
    return answer.error != 0 ? FUSEE_REFUSED : (int)answer.value;
}

/* Wakes a thread that sleeps, or lets it not sleep next time; 0: it may not be named. */
static inline int fusee_wake(unsigned thread)
{
    return fusee_may_name(thread) && fusee_operation(FUSEE_WAKE, fusee_thread_slots[thread]).error == 0;
}
