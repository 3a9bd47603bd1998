#include <camkes.h>

#include "../ring.h"
#include "peer.h"

static uint32_t taken;

/* What has come back, as bytes; how many, 0 if nothing has. */
static uint32_t answer(uint32_t words[LARGEST / 4])
{
    volatile struct ring *ring = (volatile struct ring *)answers;
    uint32_t written = ring->written;
    answers_acquire();
    if (written == taken) {
        return 0;
    }
    if (written - taken > FRAMES) {
        taken = written - FRAMES;
    }
    volatile struct frame *frame = frame_of(ring, ++taken);
    uint32_t length = frame->length > LARGEST ? LARGEST : frame->length;
    for (unsigned word = 0; word < words_of(length); word++) {
        words[word] = frame->words[word];
    }
    return length;
}

/* One frame arrives: called once in every period. */
int run(void)
{
    uint32_t words[LARGEST / 4];
    uint32_t length = answer(words);
    if (length > 0) {
        peer_hear((const uint8_t *)words, length, (volatile struct heard *)seen);
    }
    length = peer_say((uint8_t *)words);

    volatile struct ring *ring = (volatile struct ring *)received;
    uint32_t number = ring->written + 1;
    volatile struct frame *frame = frame_of(ring, number);
    frame->number = number;
    frame->length = length;
    for (unsigned word = 0; word < words_of(length); word++) {
        frame->words[word] = words[word];
    }
    received_release();
    ring->written = number;
    happened_emit();
    return 0;
}
