/* Makes each call of a scheduler, and looks at the clock before and behind. */
#include <camkes.h>
#include <stdbool.h>
#include "measure.h"
@board@

#define RUNS (@runs@ / 50 + 8)

/* Time that is moved in a run, more than anybody uses in one. */
#define AMOUNT (100000 * @stretch@)

/* Until when the worker spins. */
#define SPINS (50000 * @stretch@)

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

/*
 * What is measured, from one look at the clock to the other: functions of their own, so that the
 * stubs in them can be bounded.
 */
#define MEASURED __attribute__((noinline))

struct times {
    uint64_t before, after;
};

static MEASURED struct times measured_dispatch(uint16_t account, uint64_t until)
{
    uint64_t before = fusee_now();
    fusee_word error = fusee_dispatch(FUSEE_THREAD_worker, account, until);
    uint64_t after = fusee_now();
    accept(error);
    return (struct times){before, after};
}

static MEASURED uint64_t measured_transfer(void)
{
    uint64_t before = fusee_now();
    fusee_word error = fusee_transfer(FUSEE_THREAD_worker, FUSEE_THREAD, AMOUNT, 250);
    uint64_t after = fusee_now();
    accept(error);
    return after - before - 1;
}

static MEASURED uint64_t measured_delegate(void)
{
    uint64_t before = fusee_now();
    fusee_word error = fusee_delegate(FUSEE_THREAD_sub, FUSEE_THREAD, AMOUNT, FUSEE_AS_IT_IS - 1);
    uint64_t after = fusee_now();
    accept(error);
    return after - before - 1;
}

/* The worker has something to do and gets the core; answers when that began and ended. */
static struct times work(uint64_t task, uint16_t account, uint64_t until)
{
    shared->task = task;
    start_emit();
    hear();
    disturb();
    return measured_dispatch(account, until);
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
        struct times times = work(WAIT, FUSEE_THREAD, FUSEE_NEVER);
        count(&dispatch, shared->begun - times.before - 1);
        count(&activation, times.after - shared->ended - 1);
        times = work(WAIT, FUSEE_THREAD, fusee_now() + 100 * SPINS);
        count(&with_timer, shared->begun - times.before - 1);
        times = work(SPIN, FUSEE_THREAD, fusee_now() + SPINS);
        count(&timer, times.after - shared->last - 1);
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
        count(&transfer, measured_transfer());
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
        count(&delegate, measured_delegate());
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
