/*
 * Who is at the other end of the wire: it asks where the server is, then sends datagrams and now and
 * then fetches the page. What it says follows from what it has heard, so a run is the same each time.
 */
#pragma once

#include <stdint.h>

/* What has come back as it should, for the server to print. */
struct heard {
    uint32_t datagrams;
    uint32_t pages;
};

/* A frame that has come back. */
void peer_hear(const uint8_t *frame, uint32_t length, volatile struct heard *heard);

/* The next frame that goes out; how many bytes it has. */
uint32_t peer_say(uint8_t *frame);
