/*
 * The console of a component: a buffer that the host reads when the run is over.
 *
 * No kernel path and no device takes part, so that what a component prints disturbs
 * no other. Text goes in chunks, each with the time, so that the host can merge the
 * output of all components; a chunk's length is written last. Threads that print at
 * the same time reserve room with one atomic instruction each. When the buffer is
 * full, the rest is dropped and counted.
 */
#include <fusee.h>
#include <string.h>

#define FUSEE_CONSOLE_BYTES 65536

struct console {
    uint32_t reserved; /* bytes of `chunks` that are taken */
    uint32_t dropped;  /* bytes of text that did not fit */
    uint32_t unused[2];
    unsigned char chunks[FUSEE_CONSOLE_BYTES - 16];
};

struct chunk {
    uint64_t time;
    uint32_t tag;    /* tells threads apart */
    uint32_t length; /* bytes of text; 0 while it is being written */
};

extern struct console fusee_console_window;

void fusee_write_console(const char *text, size_t length)
{
    struct console *console = &fusee_console_window;
    if (length == 0) {
        return;
    }
    size_t room = sizeof(struct chunk) + (length + 7) / 8 * 8;
    uint32_t at = sizeof console->chunks;
    /* Once full, the count stays where it is: it must not wrap. */
    if (length < sizeof console->chunks && console->reserved < sizeof console->chunks) {
        at = __atomic_fetch_add(&console->reserved, (uint32_t)room, __ATOMIC_RELAXED);
    }
    if (at + room > sizeof console->chunks) {
        __atomic_fetch_add(&console->dropped, (uint32_t)length, __ATOMIC_RELAXED);
        return;
    }
    struct chunk *chunk = (struct chunk *)(void *)(console->chunks + at);
    chunk->time = fusee_now();
    chunk->tag = (uint32_t)(uintptr_t)fusee_message();
    memcpy(chunk + 1, text, length);
    __atomic_store_n(&chunk->length, (uint32_t)length, __ATOMIC_RELEASE);
}
