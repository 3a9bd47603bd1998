/*
 * Frames in shared memory, from one who writes to one who reads. Whoever writes does not wait: the
 * oldest frame is overwritten, and who reads sees that by the numbers.
 */
#pragma once

#include <stdint.h>

#define FRAMES 64
#define LARGEST 248

struct frame {
    uint32_t number; /* from 1 */
    uint32_t length; /* in bytes */
    uint32_t words[LARGEST / 4];
};

struct ring {
    uint32_t written; /* frames so far; the writer's */
    uint32_t unused[63];
    struct frame frames[FRAMES];
};

static inline volatile struct frame *frame_of(volatile struct ring *ring, uint32_t number)
{
    return &ring->frames[number % FRAMES];
}

/* How many words a frame takes. */
static inline unsigned words_of(uint32_t length)
{
    return (length > LARGEST ? LARGEST : length + 3) / 4;
}
