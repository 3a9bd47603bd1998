#pragma once

#include <stdint.h>

#define RING_SLOTS 4

/* One writes, the other reads: each moves its own index. */
typedef struct ring {
    uint32_t written;
    uint32_t read;
    uint32_t slots[RING_SLOTS];
} ring_t;
