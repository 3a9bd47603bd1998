#include <camkes.h>

#include "../ring.h"

/* One packet arrives: called once in every period. */
int run(void)
{
    volatile struct ring *ring = (volatile struct ring *)received;
    uint32_t number = ring->written + 1;
    volatile struct packet *packet = packet_of(ring, number);
    packet->number = number;
    for (unsigned word = 0; word < WORDS; word++) {
        packet->words[word] = word_of(number, word);
    }
    received_release();
    ring->written = number;
    happened_emit();
    return 0;
}
