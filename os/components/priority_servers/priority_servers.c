#include <camkes.h>
#include <fusee/ready.h>

/* What a thread has of its own in each period; nothing: it runs on this scheduler's time. */
static uint64_t amount[FUSEE_THREADS];
/* Of what it has run, how much it was given anew. */
static uint64_t returned[FUSEE_THREADS];

static bool is_spent(size_t thread)
{
    return amount[thread] != 0 && fusee_heard[thread].ran - returned[thread] >= amount[thread];
}

static uint64_t urgency(size_t thread)
{
    return is_spent(thread) ? FUSEE_NEVER : fusee_threads[thread].priority;
}

/* Worse than this scheduler's own time, so that nobody preempts a decision. */
static uint32_t opinion(size_t thread)
{
    return fusee_threads[thread].priority + 1;
}

static void give(size_t thread, uint64_t time)
{
    if (time != 0) {
        fusee_transfer(fusee_threads[thread].thread, FUSEE_THREAD, time, opinion(thread));
    }
}

static void begin(void)
{
    for (size_t thread = 0; thread < FUSEE_THREADS; thread++) {
        for (size_t slot = 0; slot < FUSEE_SLOTS; slot++) {
            bool its = fusee_slots[slot].thread == fusee_threads[thread].thread;
            amount[thread] += its ? fusee_slots[slot].amount : 0;
        }
        give(thread, amount[thread]);
    }
}

/* Each has again what it was heard to have used; of a job that is under way, the next time. */
static void fill(void)
{
    for (size_t thread = 0; thread < FUSEE_THREADS; thread++) {
        if (amount[thread] != 0) {
            give(thread, fusee_heard[thread].ran - returned[thread]);
            returned[thread] = fusee_heard[thread].ran;
        }
    }
}

/* Nobody with time of its own is more urgent than it: so nobody needs to look for it. */
static bool comes_at_once(size_t thread)
{
    bool first = amount[thread] != 0;
    for (size_t other = 0; other < FUSEE_THREADS; other++) {
        first = first && (amount[other] == 0 || fusee_threads[thread].priority <= fusee_threads[other].priority);
    }
    return first;
}

static uint64_t looks(void)
{
    for (size_t thread = 0; thread < FUSEE_THREADS; thread++) {
        if (fusee_threads[thread].period == 0 && !comes_at_once(thread)) {
            return look;
        }
    }
    return FUSEE_NEVER;
}

static void dispatch(size_t thread, uint64_t until)
{
    static uint32_t token;
    uint16_t number = fusee_threads[thread].thread;
    uint16_t account = amount[thread] == 0 ? FUSEE_THREAD : number;
    fusee_dispatch_with(number, account, until, ++token, opinion(thread));
}

int run(void)
{
    struct fusee_event event;
    begin();
    const uint64_t looked = looks();
    uint64_t filled = fusee_now() + FUSEE_PERIOD; /* when all is filled up next */
    for (;;) {
        fusee_hear_until(filled);
        uint64_t now = fusee_now();
        if (filled <= now) {
            fill();
        }
        while (filled <= now) {
            filled += FUSEE_PERIOD;
        }
        size_t first = fusee_first(urgency);
        if (first < FUSEE_THREADS && !is_spent(first)) {
            uint64_t release = fusee_next_release(looked);
            dispatch(first, release < filled ? release : filled);
        } else if (fusee_receive(&event, filled)) {
            fusee_note(&event);
        }
    }
}
