/*
 * A scheduler that wants everybody's time: it dispatches anybody for any time on anything, gives
 * all away, floods the kernel with calls, asks for alarms, and never returns.
 */
#include <camkes.h>
#include <stdio.h>

#ifndef ROUND
#define ROUND 1
#endif

/* A number of Marsaglia's, other ones in each scheduler and each round. */
static uint32_t chance(void)
{
    static uint32_t state;
    if (state == 0) {
        state = (FUSEE_THREAD + 1) * 2654435761u ^ ROUND * 40503u;
    }
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    return state;
}

/* A thread or an account: mostly its own, else whichever. */
static uint16_t somebody(void)
{
    uint32_t which = chance();
    switch (which & 7) {
    case 0:
        return (uint16_t)(which >> 16);
    case 1:
        return (uint16_t)((which >> 16) % 12);
    case 2:
    case 3:
        return FUSEE_THREAD;
    default:
        return fusee_threads[(which >> 16) % FUSEE_THREADS].thread;
    }
}

/* A time of at most 2 ms, or an extreme. */
static uint64_t some(void)
{
    uint32_t which = chance();
    switch (which & 15) {
    case 0:
        return UINT64_MAX;
    case 1:
        return 0;
    case 2:
        return 1;
    default:
        return (which >> 4) & 0x1fffff;
    }
}

static uint64_t sometime(void)
{
    uint64_t after = some();
    return after < FUSEE_NEVER - fusee_now() ? fusee_now() + after : after;
}

static void call(uint32_t which, uint32_t priority)
{
    static uint32_t token;
    struct fusee_event event;
    token = which & 0x800 ? token + 1 : chance();
    switch (which & 7) {
    case 0:
        /* Not for ever: that would end the attack. */
        fusee_receive(&event, which & 0x100 ? 0 : fusee_now() + (chance() & 0x1fffff));
        break;
    case 1:
        fusee_delegate(somebody(), somebody(), some(), priority);
        break;
    case 2:
        fusee_delegate_and_yield(somebody(), somebody(), some(), priority);
        break;
    case 3:
        fusee_transfer(somebody(), somebody(), some(), priority);
        break;
    case 4:
        fusee_dispatch_with(somebody(), somebody(), sometime(), token, priority);
        break;
    case 5:
        while (fusee_receive(&event, 0)) {
        }
        fusee_dispatch(fusee_threads[which % FUSEE_THREADS].thread, FUSEE_THREAD, sometime());
        break;
    case 6:
        fusee_transfer(fusee_threads[which % FUSEE_THREADS].thread, FUSEE_THREAD, some(), priority);
        break;
    default:
        fusee_compute(1000 + (which >> 16));
    }
}

int run(void)
{
    for (unsigned long calls = 1;; calls++) {
        uint32_t which = chance();
        call(which >> 8, which & 1 ? 0 : which & 2 ? FUSEE_AS_IT_IS : chance() % 256);
        if (calls % 256 == 0) {
            printf("%lu calls\n", calls);
        }
    }
}
