/* Keeps the last entries. */
#include <camkes.h>

#define ENTRIES 64

static struct {
    int key;
    int value;
} entries[ENTRIES];

static unsigned next;

void entries_note(int key, int value)
{
    entries[next].key = key;
    entries[next].value = value;
    next = (next + 1) % ENTRIES;
}
