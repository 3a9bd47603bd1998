/* Makes each call of a scheduler, and looks at the clock before and behind. */
#include <camkes.h>
#include <stdbool.h>
#include "measure.h"
@board@

#define RUNS (@runs@ / 50 + 8)

/* Time that is moved in a run, more than anybody uses in one. */
#define AMOUNT 100000

/* Until when the worker spins. */
#define SPINS 50000

static volatile struct board *shared;

/* Whether no call was refused that should not be: without that no path is printed. */
static bool all_right = true;

static void accept(fusee_word error)
{
    all_right = all_right && error == 0;
}

static void hear(void)
{
    struct fusee_event event;
    while (fusee_receive(&event, 0)) {
    }
}

/* The worker has something to do and gets the core; answers when it was dispatched. */
static uint64_t work(uint64_t task, uint16_t account, uint64_t until)
{
    shared->task = task;
    start_emit();
    hear();
    disturb();
    uint64_t before = fusee_now();
    accept(fusee_dispatch(FUSEE_THREAD_worker, account, until));
    return before;
}

/* Whoever has still something to do does it. */
static void finish(uint16_t thread)
{
    shared->task = WAIT;
    hear();
    fusee_dispatch(thread, FUSEE_THREAD, FUSEE_NEVER);
    hear();
}

static void print(const char *name, const struct path *path)
{
    if (all_right) {
        print_path(name, path);
    }
}

static void dispatches(void)
{
    struct path dispatch = {0}, activation = {0}, with_timer = {0}, timer = {0};
    for (int run = 0; run < RUNS; run++) {
        uint64_t before = work(WAIT, FUSEE_THREAD, FUSEE_NEVER), now = fusee_now();
        count(&dispatch, shared->begun - before - 1);
        count(&activation, now - shared->ended - 1);
        before = work(WAIT, FUSEE_THREAD, fusee_now() + 100 * SPINS);
        count(&with_timer, shared->begun - before - 1);
        work(SPIN, FUSEE_THREAD, fusee_now() + SPINS);
        now = fusee_now();
        count(&timer, now - shared->last - 1);
        finish(FUSEE_THREAD_worker);
    }
    print("tcap.dispatch@schedulers@", &dispatch);
    print("tcap.scheduler_activation@schedulers@", &activation);
    print("tcap.dispatch_timer@schedulers@", &with_timer);
    print("tcap.timer_activation@schedulers@", &timer);
}

static void transfers(void)
{
    struct path transfer = {0};
    for (int run = 0; run < RUNS; run++) {
        disturb();
        uint64_t before = fusee_now();
        accept(fusee_transfer(FUSEE_THREAD_worker, FUSEE_THREAD, AMOUNT, 250));
        count(&transfer, fusee_now() - before - 1);
    }
    print("tcap.transfer@schedulers@", &transfer);
}

/* The peer has no time, then better time than the worker, then worse. */
static void sends(void)
{
    struct path sent = {0}, test = {0};
    uint64_t without[RUNS];
    for (int run = 0; run < RUNS; run++) {
        work(SIGNAL, FUSEE_THREAD_worker, FUSEE_NEVER);
        without[run] = shared->told - shared->sent;
        finish(FUSEE_THREAD_peer);
    }
    accept(fusee_transfer(FUSEE_THREAD_peer, FUSEE_THREAD, RUNS * AMOUNT, 5));
    for (int run = 0; run < RUNS; run++) {
        work(SIGNAL, FUSEE_THREAD_worker, FUSEE_NEVER);
        all_right = all_right && shared->sent < shared->received && shared->received < shared->told;
        count(&sent, shared->received - shared->sent - 1);
        hear();
    }
    accept(fusee_transfer(FUSEE_THREAD_peer, FUSEE_THREAD, AMOUNT, 251));
    for (int run = 0; run < RUNS; run++) {
        work(SIGNAL, FUSEE_THREAD_worker, FUSEE_NEVER);
        all_right = all_right && shared->received < shared->sent;
        uint64_t with = shared->told - shared->sent;
        count(&test, with < without[run] ? 0 : with - without[run]);
        finish(FUSEE_THREAD_peer);
    }
    print("tcap.send_receive@schedulers@", &sent);
    print("tcap.preemption_test@schedulers@", &test);
}

static void delegations(void)
{
    struct path delegate = {0};
    for (int run = 0; run < RUNS; run++) {
        disturb();
        uint64_t before = fusee_now();
        accept(fusee_delegate(FUSEE_THREAD_sub, FUSEE_THREAD, AMOUNT, FUSEE_AS_IT_IS - 1));
        count(&delegate, fusee_now() - before - 1);
        hear();
    }
    print("tcap.delegate@schedulers@", &delegate);
}

int run(void)
{
    shared = (volatile struct board *)board;
    finish(FUSEE_THREAD_peer);
    finish(FUSEE_THREAD_worker);
    finish(FUSEE_THREAD_sub);
    dispatches();
    transfers();
    sends();
    delegations();
    return 0;
}
