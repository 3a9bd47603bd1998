/*
 * Asks for what it may have, far too often, and for itself while it is being asked: one attempt for each job.
 *
 * An attempt that had the effect it wanted says "BROKEN". One that faults is reported by the next job.
 */

#include <camkes.h>
#include <fusee.h>
#include <stdint.h>
#include <stdio.h>

#define INTERRUPTS 1 /* the device's register of interrupts that are switched on */
#define SEND_READY 2
#define REENTRY 5    /* the kernel's number of the error */

/* What a callback does. */
enum manner { QUIET, AGAIN_STRICT, AGAIN_OPEN, FAULT, END_JOB, LEAVE_TWICE };

static enum manner manner;
static int deepest;
static fusee_word refused;

static volatile uint8_t *device(void)
{
    return (volatile uint8_t *)registers;
}

static void broken(const char *what)
{
    printf("BROKEN: %s\n", what);
}

/* Keeps the error of the innermost call. */
static void remember(void)
{
    fusee_word error = (fusee_word)fusee_take_error();
    refused = refused == 0 ? error : refused;
}

int answer_ask(int depth)
{
    deepest = depth > deepest ? depth : deepest;
    switch (manner) {
    case QUIET:
        break;
    case AGAIN_STRICT:
        (void)strict_ask(depth + 1);
        remember();
        break;
    case AGAIN_OPEN:
        (void)open_ask(depth + 1);
        remember();
        break;
    case FAULT:
        __asm__ volatile(".word 0");
        break;
    case END_JOB:
        refused = fusee_operation(FUSEE_COMPLETE, 0).error;
        break;
    case LEAVE_TWICE:
        __asm__ volatile("li a0, 7\n li t0, 114\n li a7, 1\n ecall\n ecall" ::: "a0", "t0", "a7", "memory");
        broken("left a gate twice");
        break;
    }
    return 1;
}

static int ask(int (*gate)(int), enum manner with)
{
    manner = with;
    deepest = 0;
    refused = 0;
    return gate(1);
}

static void honest_question(void)
{
    if (ask(strict_ask, QUIET) != 2 || ask(open_ask, QUIET) != 2) {
        broken("honest questions are not answered");
    }
}

static void reenter_an_exclusive_gate(void)
{
    ask(strict_ask, AGAIN_STRICT);
    if (refused != REENTRY || deepest != 1) {
        broken("entered an exclusive gate that it was in");
    }
}

static void reenter_an_open_gate(void)
{
    ask(open_ask, AGAIN_OPEN);
    if (refused == 0 || deepest > 2) {
        broken("recursion through an open gate has no end");
    }
}

static void enter_the_open_gate_from_the_exclusive_one(void)
{
    ask(strict_ask, AGAIN_OPEN);
    if (deepest > 3) {
        broken("recursion through two gates has no end");
    }
}

static void fault_when_called_back(void)
{
    if (ask(strict_ask, FAULT) != 1 || ask(open_ask, FAULT) != 1) {
        broken("a fault came back as an answer");
    }
}

static void end_the_job_inside_a_gate(void)
{
    ask(strict_ask, END_JOB);
    if (refused == 0) {
        broken("ended its job inside somebody's gate");
    }
}

static void leave_a_gate_twice(void)
{
    (void)ask(strict_ask, LEAVE_TWICE);
    (void)ask(open_ask, LEAVE_TWICE);
}

static void flood_with_events(void)
{
    for (int i = 0; i < 1000; i++) {
        flood_emit();
    }
}

static void flood_with_events_and_let_others_run(void)
{
    for (int i = 0; i < 1000; i++) {
        flood_emit();
        fusee_yield();
    }
}

static void flood_with_polls(void)
{
    for (int i = 0; i < 1000; i++) {
        (void)line_poll();
    }
}

static void flood_a_gate(void)
{
    for (int i = 0; i < 500; i++) {
        (void)account_balance();
    }
}

static void acknowledge_what_never_came(void)
{
    for (int i = 0; i < 1000; i++) {
        (void)line_acknowledge();
    }
}

/* The device interrupts when it is told to, because it can always send. */
static void interrupt_now(void)
{
    device()[INTERRUPTS] = 0;
    device()[INTERRUPTS] = SEND_READY;
}

static void storm_of_interrupts(void)
{
    int came = 0;
    interrupt_now();
    for (int i = 0; i < 500; i++) {
        line_wait();
        came++;
        interrupt_now();
        (void)line_acknowledge();
    }
    device()[INTERRUPTS] = 0;
    if (came != 500) {
        broken("the storm did not come");
    }
}

static void storm_that_nobody_waits_for(void)
{
    for (int i = 0; i < 1000; i++) {
        interrupt_now();
        (void)line_acknowledge();
    }
    device()[INTERRUPTS] = 0;
}

static void interrupt_without_acknowledgement(void)
{
    for (int i = 0; i < 1000; i++) {
        interrupt_now();
    }
}

struct attempt {
    const char *name;
    void (*run)(void);
};

#define ATTEMPT(function) {#function, function}

static const struct attempt attempts[] = {
    ATTEMPT(honest_question), ATTEMPT(reenter_an_exclusive_gate), ATTEMPT(reenter_an_open_gate),
    ATTEMPT(enter_the_open_gate_from_the_exclusive_one), ATTEMPT(fault_when_called_back),
    ATTEMPT(end_the_job_inside_a_gate), ATTEMPT(leave_a_gate_twice), ATTEMPT(honest_question),
    ATTEMPT(flood_with_events), ATTEMPT(flood_with_events_and_let_others_run), ATTEMPT(flood_with_polls),
    ATTEMPT(flood_a_gate), ATTEMPT(acknowledge_what_never_came), ATTEMPT(storm_of_interrupts),
    ATTEMPT(storm_that_nobody_waits_for), ATTEMPT(interrupt_without_acknowledgement), ATTEMPT(honest_question),
};

#define ATTEMPTS (sizeof(attempts) / sizeof(attempts[0]))

static unsigned next;
static unsigned done;

int run(void)
{
    if (!hostile) {
        return 0;
    }
    if (done != next) {
        printf("BROKEN: %s did not come back\n", attempts[next - 1].name);
    }
    if (next == ATTEMPTS) {
        printf("%u attempts made, now for ever\n", next);
        for (;;) {
            flood_emit();
            (void)account_balance();
            interrupt_now();
            (void)line_acknowledge();
        }
    }
    next++;
    attempts[next - 1].run();
    done = next;
    return 0;
}
