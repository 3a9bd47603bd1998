#include "peer.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* Where a header begins in a frame. All are as short as they can be. */
enum { NET = 14, PORTS = NET + 20, DATAGRAM = PORTS + 8, STREAM = PORTS + 20 };

enum { TCP = 6, WINDOW = 192 };

/* The sum of both addresses' words, which every checksum has in it. */
#define ADDRESSES 0x1403U

enum { FIN = 1, SYN = 2, RST = 4, PSH = 8, ACK = 16 };

/* A datagram's content: its number, and three words that follow from it. */
#define CONTENT 16

/* A page is fetched after so many frames, and given up if nothing comes for so many. */
#define BETWEEN 16
#define PATIENCE 512

/* All frames begin alike, whoever is asked: the server's card, the peer's, and kinds. */
static const uint8_t BEGIN[DATAGRAM] = {
    2, 0, 0, 0, 0, 2, 2, 0, 0, 0, 0, 1, 8, 0,
    0x45, 0, 0, DATAGRAM + CONTENT - NET, 0, 0, 0x40, 0, 64, 17, 0x26, 0xbf, 10, 0, 0, 1, 10, 0, 0, 2,
    7000 >> 8, 7000 & 255, 0, 7, 0, 8 + CONTENT, 0, 0,
};

static const uint8_t WHERE[NET + 28] = {
    255, 255, 255, 255, 255, 255, 2, 0, 0, 0, 0, 1, 8, 6,
    0, 1, 8, 0, 6, 4, 0, 1, 2, 0, 0, 0, 0, 1, 10, 0, 0, 1, 0, 0, 0, 0, 0, 0, 10, 0, 0, 2,
};

static const char REQUEST[] = "GET / HTTP/1.1\r\n\r\n";
static const char PAGE[] = "HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nFusee\n";

enum state { CLOSED, ASKED, REQUESTED, LEAVING };

static bool found;
static uint32_t number;   /* of datagrams */
static uint32_t frames;   /* since the connection last went on */
static enum state state;
static uint16_t port = 40000;
static uint32_t own;      /* the next byte that is sent */
static uint32_t others;   /* the next byte that is expected */
static unsigned next;          /* flags of a segment that is to be sent; 0: none */
static unsigned due;           /* the same, from the frame after that */

static unsigned get16(const uint8_t *at)
{
    return (unsigned)at[0] << 8 | at[1];
}

static uint32_t get32(const uint8_t *at)
{
    return (uint32_t)get16(at) << 16 | get16(at + 2);
}

static void put16(uint8_t *at, unsigned value)
{
    at[0] = (uint8_t)(value >> 8);
    at[1] = (uint8_t)value;
}

static void put32(uint8_t *at, uint32_t value)
{
    put16(at, value >> 16);
    put16(at + 2, value & 0xffff);
}

/* The checksum of RFC 1071, of a sum of 16-bit words. */
static unsigned folded(uint32_t all)
{
    all = (all & 0xffff) + (all >> 16);
    return ~(all + (all >> 16)) & 0xffff;
}

static uint32_t halves(uint32_t word)
{
    return (word & 0xffff) + (word >> 16);
}

static void content(uint8_t *at, uint32_t of)
{
    for (unsigned word = 0; word < CONTENT / 4; word++) {
        put32(at + 4 * word, word == 0 ? of : (of * 2654435761U) ^ (word * 40503U));
    }
}

static uint32_t datagram(uint8_t *frame)
{
    memcpy(frame, BEGIN, DATAGRAM);
    content(frame + DATAGRAM, ++number);
    return DATAGRAM + CONTENT;
}

/* One without options: what is summed up is what is written. */
static uint32_t segment(uint8_t *frame, unsigned flags)
{
    unsigned length = (flags & PSH) != 0 ? sizeof REQUEST - 1 : 0;
    uint32_t theirs = (flags & ACK) != 0 ? others : 0;
    memcpy(frame, BEGIN, PORTS);
    put16(frame + NET + 2, STREAM - NET + length);
    frame[NET + 9] = TCP;
    put16(frame + NET + 10, folded(ADDRESSES + 0xc500 + TCP + STREAM - NET + length));
    put16(frame + PORTS, port);
    put16(frame + PORTS + 2, 80);
    put32(frame + PORTS + 4, own);
    put32(frame + PORTS + 8, theirs);
    put16(frame + PORTS + 12, 0x5000 | flags);
    put16(frame + PORTS + 14, WINDOW);
    uint32_t sum = ADDRESSES + TCP + STREAM - PORTS + length + port + 80U;
    sum += halves(own) + halves(theirs) + (0x5000 | flags) + WINDOW;
    for (unsigned i = 0; i < length; i += 2) {
        frame[STREAM + i] = (uint8_t)REQUEST[i];
        frame[STREAM + i + 1] = (uint8_t)REQUEST[i + 1];
        sum += get16(frame + STREAM + i);
    }
    put16(frame + PORTS + 16, folded(sum));
    put16(frame + PORTS + 18, 0);
    own += length + ((flags & (SYN | FIN)) != 0);
    return STREAM + length;
}

uint32_t peer_say(uint8_t *frame)
{
    frames++;
    if (!found) {
        memcpy(frame, WHERE, sizeof WHERE);
        return sizeof WHERE;
    }
    unsigned flags = next;
    next = due;
    due = 0;
    if (flags == 0 && next == 0 && state == CLOSED && frames > BETWEEN) {
        state = ASKED;
        port = port == 65535 ? 40000 : port + 1;
        flags = SYN;
    } else if (state != CLOSED && frames > PATIENCE) {
        state = CLOSED;
        flags = RST | ACK;
    }
    if (flags == 0) {
        return datagram(frame);
    }
    frames = 0;
    return segment(frame, flags);
}

static void hear_datagram(const uint8_t *frame, uint32_t length, volatile struct heard *heard)
{
    uint8_t sent[CONTENT];
    content(sent, get32(frame + DATAGRAM));
    if (length == DATAGRAM + CONTENT && memcmp(sent, frame + DATAGRAM, CONTENT) == 0) {
        heard->datagrams++;
    } else {
        printf("a datagram is not what was sent\n");
    }
}

static void hear_segment(const uint8_t *frame, volatile struct heard *heard)
{
    int flags = frame[PORTS + 13];
    unsigned header = (frame[PORTS + 12] >> 4) * 4U;
    unsigned length = get16(frame + NET + 2) - 20 - header;
    if (state == ASKED && (flags & (SYN | ACK)) == (SYN | ACK)) {
        others = get32(frame + PORTS + 4) + 1;
        state = REQUESTED;
        due = PSH | ACK;
    } else if (state == CLOSED || state == ASKED || get32(frame + PORTS + 4) != others) {
        return;
    } else if (state == REQUESTED && length > 0) {
        others += length;
        state = LEAVING;
        due = FIN | ACK;
        if (length == sizeof PAGE - 1 && memcmp(frame + PORTS + header, PAGE, length) == 0) {
            heard->pages++;
        } else {
            printf("a page is not what the server has\n");
        }
    } else if (state == LEAVING && (flags & FIN) != 0) {
        others++;
        state = CLOSED;
        due = ACK;
    }
}

void peer_hear(const uint8_t *frame, uint32_t length, volatile struct heard *heard)
{
    if (length < NET + 28) {
        return;
    }
    if (get16(frame + NET - 2) == 0x0806) {
        found = true;
    } else if (frame[NET + 9] == 17 && get16(frame + PORTS) == 7) {
        hear_datagram(frame, length, heard);
    } else if (frame[NET + 9] == 6 && get16(frame + PORTS + 2) == port) {
        hear_segment(frame, heard);
    }
}
