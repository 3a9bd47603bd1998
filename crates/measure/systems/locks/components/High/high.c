/* Comes when the lock is held. */
#include <camkes.h>
#include "measure.h"

#define RUNS ((@runs@ + 3) / 4)

static struct path pairs, served;

int run(void)
{
    if (pairs.runs == RUNS) {
        return 0;
    }
    held_touch();
    if (held_last(0) == 0) {
        return 0;
    }
    count(&pairs, held_last(1));
    count(&served, held_last(2));
    if (pairs.runs == RUNS) {
        print_path("lock.@name@.contended", &pairs);
        print_path("lock.@name@.handover", &served);
    }
    return 0;
}
