/* What `low` does in each round, once it has left `inner`. */
#pragma once

#include <camkes.h>
#include <fusee.h>

#include "../../cold.h"

enum what { RETURN, FETCH, WAIT, YIELD, FAULT, INVOKE, SEND, COMPLETE, INTERRUPT, ROUNDS };

/* With its length in front, the longest message that there can be. */
#define LONGEST (FUSEE_MESSAGE_BYTES - sizeof(fusee_word))

/* Until so many nanoseconds have passed. */
static inline void spin(uint64_t time)
{
    uint64_t end = fusee_now() + time;
    while (fusee_now() < end) {
        cold();
    }
}
