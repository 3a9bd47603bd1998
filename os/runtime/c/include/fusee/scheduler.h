/*
 * What a scheduler calls: it dispatches its threads, gives them time, and hears of them.
 *
 * Threads and accounts have the numbers that `camkes.h` has constants for; each thread has an
 * account with its own number. Times are those of fusee_now(). A priority is better the lower it
 * is. All of these answer 0, or why they were refused, and a refused call has changed nothing.
 */
#pragma once

#include <fusee.h>
#include <stdbool.h>

#define FUSEE_RECEIVE 10
#define FUSEE_DISPATCH 11
#define FUSEE_DELEGATE 12
#define FUSEE_DELEGATE_AND_YIELD 13
#define FUSEE_TRANSFER 14
#define FUSEE_YIELD_UNTIL 17

/* Why a scheduler's call is refused. */
#define FUSEE_NOT_ITS 43     /* the thread or account is another one's, or the thread is no scheduler */
#define FUSEE_STALE 44       /* the token is not newer than that of the last dispatch */
#define FUSEE_EVENTS 45      /* events have still to be received */
#define FUSEE_NO_BUDGET 46   /* the account has not so much */
#define FUSEE_PAST 47        /* the time-out is not in the future */
#define FUSEE_NOT_READY 48   /* the thread has nothing to do, or has dispatched another */
#define FUSEE_LIMIT 51       /* the account would hold more than it may */

/* No time-out; no other priority than the account's. */
#define FUSEE_NEVER UINT64_MAX
#define FUSEE_AS_IT_IS UINT32_MAX

/* A description's priorities are the higher the better: there it has this much less. */
#define FUSEE_TOP_PRIORITY 255

/* A thread that is dispatched, as the description has it. */
struct fusee_dispatched {
    uint16_t thread;
    uint32_t priority;
    uint64_t period; /* 0: no clock releases it */
    uint64_t first;  /* its first release */
    uint64_t deadline; /* relative to its release; 0: it has none */
};

/* Time that the description says a thread gets in each period. */
struct fusee_slot {
    uint16_t thread;
    uint32_t priority;
    uint64_t amount;
};

/* What is new of a thread. */
struct fusee_event {
    uint16_t thread;
    bool waits;      /* it has nothing to do */
    uint64_t cycles; /* for how long it ran since the last one */
};

static inline fusee_word fusee_decide(fusee_word operation, fusee_word slot, fusee_word *words)
{
    register fusee_word a0 __asm__("a0") = words[0];
    register fusee_word a1 __asm__("a1") = words[1];
    register fusee_word a2 __asm__("a2") = words[2];
    register fusee_word a3 __asm__("a3") = words[3];
    register fusee_word a4 __asm__("a4") = words[4];
    register fusee_word a5 __asm__("a5") = 0;
    register fusee_word a6 __asm__("a6") = slot;
    register fusee_word a7 __asm__("a7") = operation;
    register fusee_word t0 __asm__("t0") = 0;
    __asm__ volatile("ecall"
                     : "+r"(a0), "+r"(a1), "+r"(a2), "+r"(a3), "+r"(a4), "+r"(a5), "+r"(a6), "+r"(a7), "+r"(t0)
                     :
                     : "t1", "t2", "t3", "t4", "t5", "t6", "memory");
    words[0] = a0;
    words[1] = a1;
    words[2] = a2;
    words[3] = a3;
    words[4] = a4;
    return a7;
}

/*
 * Receives an event; if there is none, waits for one until a time, and longer if somebody else has
 * the core then. False: it was woken without an event, by the time at the latest. With a time that
 * is past, as 0, it only asks: it keeps the core.
 */
static inline bool fusee_receive(struct fusee_event *event, uint64_t until)
{
    fusee_word words[5] = {(uint32_t)until, (uint32_t)(until >> 32)};
    if (fusee_decide(FUSEE_RECEIVE, 0, words) != 0 || words[0] == 0) {
        return false;
    }
    event->thread = (uint16_t)words[1];
    event->cycles = (uint64_t)words[3] << 32 | (uint32_t)words[2];
    event->waits = words[4] != 0;
    return true;
}

/*
 * A thread runs on an account until it waits, the budget ends or the time-out is due; then this
 * comes back. A token makes stale decisions fail: each must be newer than the one before.
 */
static inline fusee_word fusee_dispatch_with(uint16_t thread, uint16_t account, uint64_t until, uint32_t token,
                                             uint32_t priority)
{
    fusee_word words[5] = {account, (uint32_t)until, (uint32_t)(until >> 32), token, priority};
    return fusee_decide(FUSEE_DISPATCH, thread, words);
}

/* The same with tokens that are counted here, under the account's own priority. */
static inline fusee_word fusee_dispatch(uint16_t thread, uint16_t account, uint64_t until)
{
    static uint32_t token;
    return fusee_dispatch_with(thread, account, until, ++token, FUSEE_AS_IT_IS);
}

static inline fusee_word fusee_give(fusee_word operation, uint16_t to, uint16_t from, uint64_t amount, uint32_t priority)
{
    fusee_word words[5] = {from, (uint32_t)amount, (uint32_t)(amount >> 32), priority};
    return fusee_decide(operation, to, words);
}

/* Gives time to another scheduler, one of the caller's threads; it runs at once if all agree. */
static inline fusee_word fusee_delegate(uint16_t to, uint16_t from, uint64_t amount, uint32_t priority)
{
    return fusee_give(FUSEE_DELEGATE, to, from, amount, priority);
}

/* The same, and dispatches it. */
static inline fusee_word fusee_delegate_and_yield(uint16_t to, uint16_t from, uint64_t amount, uint32_t priority)
{
    return fusee_give(FUSEE_DELEGATE_AND_YIELD, to, from, amount, priority);
}

/*
 * A scheduler among the caller's threads has the core until a time, and is given what it lacks for
 * that: what it has kept counts.
 */
static inline fusee_word fusee_yield_until(uint16_t to, uint16_t from, uint64_t until, uint32_t priority)
{
    return fusee_give(FUSEE_YIELD_UNTIL, to, from, until, priority);
}

/* Moves time between two accounts of the caller's: its own, and those of its threads. */
static inline fusee_word fusee_transfer(uint16_t to, uint16_t from, uint64_t amount, uint32_t priority)
{
    return fusee_give(FUSEE_TRANSFER, to, from, amount, priority);
}

/*
 * A thread has the core until a time, as long as it has something to do: what it does not use
 * nobody gets.
 */
static inline void fusee_run_until(uint16_t thread, uint16_t account, uint64_t end)
{
    struct fusee_event event;
    while (fusee_now() < end) {
        fusee_word error = fusee_dispatch(thread, account, end);
        if (error != 0 && error != FUSEE_PAST) {
            fusee_receive(&event, error == FUSEE_EVENTS ? 0 : end);
        }
    }
}
