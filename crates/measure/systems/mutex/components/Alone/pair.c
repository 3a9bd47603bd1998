/* Locks a mutex that is a word and unlocks it again; nobody else wants it. */
#include <camkes.h>
#include "measure.h"

#define RUNS @runs@

/* What is left to do after an interrupt between the look at the word and the store. */
int fusee_lock_a(void);
int fusee_unlock_a(void);

static struct path pairs, locks, unlocks;

int run(void)
{
    for (int round = 0; round < RUNS; round++) {
        disturb();
        uint64_t before = fusee_now();
        a_lock();
        a_unlock();
        count(&pairs, fusee_now() - before - 1);
    }
    for (int round = 0; round < RUNS / 2; round++) {
        disturb();
        uint64_t before = fusee_now();
        fusee_lock_a();
        count(&locks, fusee_now() - before - 1);
        disturb();
        before = fusee_now();
        fusee_unlock_a();
        count(&unlocks, fusee_now() - before - 1);
    }
    print_path("mutex.uncontended", &pairs);
    print_path("mutex.interrupted.lock", &locks);
    print_path("mutex.interrupted.unlock", &unlocks);
    return 0;
}
