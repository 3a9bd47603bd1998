/*
 * Packets in shared memory, from one who writes to one who reads. Whoever writes does not wait: the
 * oldest packet is overwritten, and who reads sees that by the numbers.
 */
#pragma once

#include <stdint.h>

#define PACKETS 64
#define WORDS 4

struct packet {
    uint32_t number; /* from 1 */
    uint32_t words[WORDS];
};

struct ring {
    uint32_t written; /* packets so far; the writer's */
    struct packet packets[PACKETS];
};

/* What a packet says, by its number. */
static inline uint32_t word_of(uint32_t number, unsigned word)
{
    return (number * 2654435761u) ^ (word * 40503u);
}

static inline volatile struct packet *packet_of(volatile struct ring *ring, uint32_t number)
{
    return &ring->packets[number % PACKETS];
}
