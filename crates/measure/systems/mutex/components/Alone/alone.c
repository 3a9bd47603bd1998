/* Locks eight mutexes inside each other and unlocks them again; nobody else wants them. */
#include <camkes.h>
#include "measure.h"

/* Times eight paths. */
#define ROUNDS (@runs@ / 8)

static struct path locks, unlocks;

typedef int operation(void);

static operation *const lock[] = {a_lock, b_lock, c_lock, d_lock, e_lock, f_lock, g_lock, h_lock};
static operation *const unlock[] = {a_unlock, b_unlock, c_unlock, d_unlock, e_unlock, f_unlock, g_unlock, h_unlock};

int run(void)
{
    for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < 8; i++) {
            operation *next = lock[i];
            disturb();
            uint64_t before = fusee_now();
            next();
            count(&locks, fusee_now() - before - 1);
        }
        for (int i = 7; i >= 0; i--) {
            operation *next = unlock[i];
            disturb();
            uint64_t before = fusee_now();
            next();
            count(&unlocks, fusee_now() - before - 1);
        }
    }
    print_path("mutex.lock", &locks);
    print_path("mutex.unlock", &unlocks);
    return 0;
}
