#include <camkes.h>

#include "../ring.h"

static uint32_t seen;

/* One interrupt of the card: the next frame goes to the client for whom it is. */
int run(void)
{
    volatile struct ring *card = (volatile struct ring *)received;
    volatile struct ring *client = (volatile struct ring *)forwarded;
    fusee_compute((uintptr_t)micros * 800);
    uint32_t written = card->written;
    received_acquire();
    if (written - seen > FRAMES) {
        seen = written - FRAMES;
    }
    seen++;
    volatile struct frame *from = frame_of(card, seen);
    volatile struct frame *to = frame_of(client, client->written + 1);
    to->number = from->number;
    to->length = from->length;
    for (unsigned word = 0; word < words_of(from->length); word++) {
        to->words[word] = from->words[word];
    }
    forwarded_release();
    client->written++;
    packet_emit();
    return 0;
}
