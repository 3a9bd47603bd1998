/* Comes when the mutex is held. */
#include <camkes.h>
#include "measure.h"

#define RUNS @runs@

static struct path waits, served;

int run(void)
{
    if (waits.runs == RUNS) {
        return 0;
    }
    held_touch();
    if (held_last(0) == 0) {
        return 0;
    }
    count(&waits, held_last(1));
    count(&served, held_last(2));
    if (waits.runs == RUNS) {
        print_path("@waits@", &waits);
        print_path("@served@", &served);
    }
    return 0;
}
