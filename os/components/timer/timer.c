/*
 * The time server: a table of timers, looked through once in each period.
 *
 * The control thread and the clients' threads share the table, so a mutex guards it.
 */
#include <camkes.h>

#define TIMERS 32

static struct {
    uint64_t end;   /* 0: not running */
    uint64_t again; /* distance of a periodic one */
} table[TIMERS];

static uint32_t ended;

static int set(int id, uint64_t end, uint64_t again)
{
    if (id < 0 || id >= TIMERS || timers_lock() != 0) {
        return -1;
    }
    table[id].end = end;
    table[id].again = again;
    return timers_unlock();
}

int timer_oneshot_relative(int id, uint64_t ns)
{
    return set(id, fusee_now() + ns, 0);
}

int timer_oneshot_absolute(int id, uint64_t ns)
{
    return set(id, ns, 0);
}

int timer_periodic(int id, uint64_t ns)
{
    return ns == 0 ? -1 : set(id, fusee_now() + ns, ns);
}

int timer_stop(int id)
{
    return set(id, 0, 0);
}

unsigned int timer_completed(void)
{
    return __atomic_exchange_n(&ended, 0, __ATOMIC_ACQ_REL);
}

uint64_t timer_time(void)
{
    return fusee_now();
}

/* One look at all timers. */
int run(void)
{
    if (timers_lock() != 0) {
        return -1;
    }
    uint64_t now = fusee_now();
    uint32_t just = 0;
    for (int id = 0; id < TIMERS; id++) {
        if (table[id].end != 0 && table[id].end <= now) {
            just |= (uint32_t)1 << id;
            table[id].end = table[id].again == 0 ? 0 : table[id].end + table[id].again;
        }
    }
    int refused = timers_unlock();
    assert(refused == 0);
    if (just != 0) {
        __atomic_fetch_or(&ended, just, __ATOMIC_ACQ_REL);
        timeout_emit();
    }
    return 0;
}
