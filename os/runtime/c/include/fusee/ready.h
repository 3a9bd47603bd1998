/*
 * For schedulers: which threads are ready, and which of them is first.
 *
 * <camkes.h> comes before this: it has the table of the threads. A scheduler is a number for each
 * thread, the lower the more urgent, and a loop:
 *
 *     for (;;) {
 *         fusee_hear();
 *         fusee_run(fusee_first(urgency), fusee_next_release(FUSEE_NEVER));
 *     }
 */
#pragma once

#include <fusee/scheduler.h>

/* What has been heard of a thread; in the order of fusee_threads. */
struct fusee_heard {
    bool ready;
    uint64_t turn;     /* who has become ready before others has a lower one */
    uint64_t released; /* its last release; without a period: when it became ready */
    uint64_t next;     /* its next release */
    uint64_t ran;      /* for how long it has run */
};

static struct fusee_heard fusee_heard[FUSEE_THREADS];

/* The thread is behind all others that are as urgent. */
static inline void fusee_to_back(size_t thread)
{
    static uint64_t turn;
    fusee_heard[thread].turn = ++turn;
}

/* Brings the releases of a thread up to a time. */
static inline void fusee_pass(size_t thread, uint64_t now)
{
    const struct fusee_dispatched *known = &fusee_threads[thread];
    struct fusee_heard *heard = &fusee_heard[thread];
    if (heard->next == 0) {
        heard->next = known->period == 0 ? FUSEE_NEVER : known->first;
    }
    while (heard->next <= now) {
        heard->released = heard->next;
        heard->next += known->period;
    }
}

/* What is new of one thread. */
static inline void fusee_note(const struct fusee_event *event)
{
    for (size_t thread = 0; thread < FUSEE_THREADS; thread++) {
        struct fusee_heard *heard = &fusee_heard[thread];
        if (fusee_threads[thread].thread != event->thread) {
            continue;
        }
        if (!heard->ready && !event->waits) {
            fusee_to_back(thread);
            heard->released = fusee_now();
        }
        heard->ready = !event->waits;
        heard->ran += event->cycles;
    }
}

/*
 * Who is first: of those that are ready the most urgent one, and of these the one that has been
 * so for the longest time. Nobody is ready: FUSEE_THREADS.
 */
static inline size_t fusee_first(uint64_t (*urgency)(size_t thread))
{
    size_t first = FUSEE_THREADS;
    for (size_t thread = 0; thread < FUSEE_THREADS; thread++) {
        if (!fusee_heard[thread].ready) {
            continue;
        }
        bool before = first == FUSEE_THREADS || urgency(thread) < urgency(first);
        bool tied = !before && urgency(thread) == urgency(first);
        if (before || (tied && fusee_heard[thread].turn < fusee_heard[first].turn)) {
            first = thread;
        }
    }
    return first;
}

static inline bool fusee_is_idle(void)
{
    bool idle = true;
    for (size_t thread = 0; thread < FUSEE_THREADS; thread++) {
        idle = idle && !fusee_heard[thread].ready;
    }
    return idle;
}

/*
 * Hears all that is new, and waits until somebody is ready, or until a time. Of a release that is not heard of yet it
 * must not be taken for past: the timer may be a tick late. So releases are brought up to a time
 * before the last question: what was due then is known now, or refuses the next dispatch.
 */
static inline void fusee_hear_until(uint64_t until)
{
    struct fusee_event event;
    uint64_t now;
    for (;;) {
        now = fusee_now();
        bool idle = fusee_is_idle();
        if (fusee_receive(&event, idle ? until : 0)) {
            fusee_note(&event);
        } else if (!idle || (until != FUSEE_NEVER && until <= now)) {
            break;
        }
    }
    for (size_t thread = 0; thread < FUSEE_THREADS; thread++) {
        fusee_pass(thread, now);
    }
}

/* The same, however long it takes. */
static inline void fusee_hear(void)
{
    fusee_hear_until(FUSEE_NEVER);
}

/*
 * When the next one of those that wait is released; at the latest after so long, if one of them
 * has no period: nothing but an event says then that it is ready.
 */
static inline uint64_t fusee_next_release(uint64_t look)
{
    uint64_t next = FUSEE_NEVER;
    uint64_t now = fusee_now();
    uint64_t looks = look < FUSEE_NEVER - now ? now + look : FUSEE_NEVER;
    for (size_t thread = 0; thread < FUSEE_THREADS; thread++) {
        if (!fusee_heard[thread].ready) {
            bool clocked = fusee_threads[thread].period != 0;
            uint64_t own = clocked ? fusee_heard[thread].next : looks;
            next = own < next ? own : next;
        }
    }
    return next;
}

/* A thread runs until it waits, or until a time. */
static inline void fusee_run(size_t thread, uint64_t until)
{
    struct fusee_event event;
    fusee_word error = fusee_dispatch(fusee_threads[thread].thread, FUSEE_THREAD, until);
    /* Whoever gives this scheduler time wakes it. */
    if (error == FUSEE_NO_BUDGET && fusee_receive(&event, FUSEE_NEVER)) {
        fusee_note(&event);
    }
}
