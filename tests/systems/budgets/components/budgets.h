/* What `low` does in each round, once it has left `inner`. */
#pragma once

#include <camkes.h>
#include <fusee.h>

#include "../../cold.h"

enum what { RETURN, FETCH, WAIT, YIELD, FAULT, INVOKE, SEND, COMPLETE, TIMER, INTERRUPT, LATE, LATE_SEND, REVIVE, QUIET, REVIVE_BUSY, QUIET_TOO, ROUNDS };

/* Whether `second` is missing. */
static inline int is_late(unsigned what)
{
    return what == LATE || what == LATE_SEND;
}

/* Whether `second` pays until it has nothing left, so that nobody pays for `first` before its next job. */
static inline int runs_out(unsigned what)
{
    return what == REVIVE || what == REVIVE_BUSY;
}

/* Whether `low` stays outside, after a round in which everybody has run out. */
static inline int is_quiet(unsigned what)
{
    return what == QUIET || what == QUIET_TOO;
}

/* Jobs of the driver in each round, and the one that comes once `low` has left `inner`. */
enum { TURNS = 10, AFTER = 4 };

/* With its length in front, the longest message that there can be. */
#define LONGEST (FUSEE_MESSAGE_BYTES - sizeof(fusee_word))

/* Until so many nanoseconds have passed. */
static inline void spin(uint64_t time)
{
    uint64_t end = fusee_now() + time * SLOW;
    while (fusee_now() < end) {
        cold();
    }
}
