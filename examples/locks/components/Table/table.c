/* Records and an index over them, never both locked. What takes time is made of exact delays. */
#include <camkes.h>
#include <fusee.h>

#define SLOTS 16

static int records[SLOTS];
static int place_of[SLOTS];
static unsigned written;

void sink_write(int entry)
{
    fusee_compute(19000);
    records_lock();
    fusee_compute(119000);
    unsigned slot = written++ % SLOTS;
    records[slot] = entry;
    records_unlock();
    index_lock();
    fusee_compute(39000);
    place_of[(unsigned)entry % SLOTS] = (int)slot;
    index_unlock();
    fusee_compute(9000);
}

int sink_find(int entry)
{
    fusee_compute(9000);
    index_lock();
    fusee_compute(59000);
    int place = place_of[(unsigned)entry % SLOTS];
    index_unlock();
    fusee_compute(9000);
    return place;
}
