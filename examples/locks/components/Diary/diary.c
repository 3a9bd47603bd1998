/* A diary that one thread at a time writes or reads. What takes time is made of exact delays. */
#include <camkes.h>
#include <fusee.h>

#define SLOTS 16

static int entries[SLOTS];
static unsigned written;

void sink_write(int entry)
{
    locks_take(0);
    fusee_compute(120000);
    entries[written++ % SLOTS] = entry;
    locks_release(0);
}

int sink_find(int entry)
{
    int found = -1;
    locks_take(0);
    fusee_compute(60000);
    for (int slot = 0; slot < SLOTS; slot++) {
        if (entries[slot] == entry) {
            found = slot;
        }
    }
    locks_release(0);
    return found;
}
