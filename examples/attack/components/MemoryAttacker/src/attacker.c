/*
 * Tries to read, write or run what is not its own: one attempt for each job.
 *
 * An attempt either faults, which ends the job, or comes back. Which of the two is right is in the table; the next
 * job says what happened. An attempt that had the effect it wanted says "BROKEN".
 */

#include <camkes.h>
#include <stdint.h>
#include <stdio.h>

#define SLOT 0x01000000UL
#define OTHERS 0x10000000UL
#define KERNEL 0x80000000UL
#define SYSTEM 0x80100000UL
#define USER 0x80200000UL
#define TEST_DEVICE 0x00100000UL
#define CLINT 0x02000000UL
#define PLIC 0x0c000000UL
#define UART 0x10000000UL

static volatile uintptr_t sink;
static const char constant[] = "constant";
static volatile unsigned own_data[4] = {0x00008067, 0x00008067, 0x00008067, 0x00008067}; /* ret */

/* Keeps the compiler from reasoning about an address. */
static uintptr_t opaque(uintptr_t address)
{
    __asm__ volatile("" : "+r"(address));
    return address;
}

static uintptr_t own_slot(void)
{
    return opaque((uintptr_t)&own_data) & ~(SLOT - 1);
}

/* The slot of the n-th other protection domain. */
static uintptr_t other(unsigned n)
{
    uintptr_t slot = OTHERS;
    for (;; slot += SLOT) {
        if (slot == own_slot()) {
            continue;
        }
        if (n-- == 0) {
            return slot;
        }
    }
}

static void broken(const char *what)
{
    printf("BROKEN: %s\n", what);
}

static void read_at(uintptr_t address)
{
    sink = *(volatile unsigned *)opaque(address);
    broken("the read came back");
}

static void write_at(uintptr_t address)
{
    *(volatile unsigned *)opaque(address) = 0xdeadbeef;
    broken("the write came back");
}

static void jump_to(uintptr_t address)
{
    ((void (*)(void))opaque(address))();
    broken("the call came back");
}

static void swap_at(uintptr_t address)
{
    unsigned value = 0xdeadbeef;
    __asm__ volatile("amoswap.w %0, %0, (%1)" : "+r"(value) : "r"(opaque(address)) : "memory");
    sink = value;
    broken("the swap came back");
}

static void reserve_at(uintptr_t address)
{
    unsigned value;
    __asm__ volatile("lr.w %0, (%1)" : "=r"(value) : "r"(opaque(address)) : "memory");
    sink = value;
    broken("the reservation came back");
}

static void read_first(void) { read_at(other(0)); }
static void read_second(void) { read_at(other(1)); }
static void read_third(void) { read_at(other(2)); }
static void write_first(void) { write_at(other(0) + 0x1000); }
static void write_second(void) { write_at(other(1) + 0x1000); }
static void write_third(void) { write_at(other(2) + 0x1000); }
static void run_first(void) { jump_to(other(0)); }
static void run_second(void) { jump_to(other(1)); }
static void run_third(void) { jump_to(other(2)); }
static void swap_first(void) { swap_at(other(0) + 0x1000); }
static void reserve_second(void) { reserve_at(other(1) + 0x1000); }
static void write_foreign_stack(void) { write_at(other(0) + 0x801000); }
static void read_foreign_console(void) { read_at(other(0) + 0xc00000); }
static void read_kernel(void) { read_at(KERNEL); }
static void write_kernel(void) { write_at(KERNEL + 0x8000); }
static void run_kernel(void) { jump_to(KERNEL); }
static void read_system(void) { read_at(SYSTEM); }
static void write_system(void) { write_at(SYSTEM); }
static void write_user_memory(void) { write_at(USER); }
static void power_off(void) { *(volatile unsigned *)opaque(TEST_DEVICE) = 0x5555; broken("the power is still on"); }
static void stop_the_timer(void) { write_at(CLINT + 0x4000); }
static void send_itself_an_interrupt(void) { write_at(CLINT); }
static void claim_an_interrupt(void) { read_at(PLIC + 0x200004); }
static void write_to_the_console_device(void) { write_at(UART); }
static void read_null(void) { read_at(0); }
static void write_null(void) { write_at(8); }
static void jump_to_null(void) { jump_to(0); }
static void jump_to_odd_address(void) { jump_to(own_slot() + 0x900001); }
static void jump_to_unmapped(void) { jump_to(own_slot() + 0x7ff000); }
static void write_code(void) { write_at((uintptr_t)&read_at); }
static void write_constant(void) { write_at((uintptr_t)&constant); }
static void run_data(void) { jump_to((uintptr_t)&own_data); }
static void write_board(void) { write_at((uintptr_t)board); }
static void run_board(void) { jump_to((uintptr_t)board); }
static void wrap_around(void) { read_at(UINTPTR_MAX - 3); }
static void beyond_sv39(void) { read_at((uintptr_t)1 << (sizeof(uintptr_t) * 8 - 2)); }
static void load_across_the_end(void) { read_at(own_slot() + 0x1000000 - 2); }
static void break_point(void) { __asm__ volatile("ebreak"); broken("the break point came back"); }
static void illegal(void) { __asm__ volatile(".word 0"); broken("the illegal instruction came back"); }
static void floating(void) { __asm__ volatile(".word 0x02007053"); broken("floating point works"); }
static void read_board(void) { sink = *(volatile unsigned *)board; }

static void run_stack(void)
{
    volatile unsigned code[2] = {0x00008067, 0x00008067};
    jump_to((uintptr_t)&code);
}

static unsigned dig(unsigned depth)
{
    volatile unsigned hole[64];
    hole[depth % 64] = depth;
    if (sink == UINTPTR_MAX) {
        return 0;
    }
    return dig(depth + 1) + hole[depth % 64];
}

static void deep_recursion(void) { sink = dig(0); broken("the stack has no end"); }

static void lost_stack(void)
{
    __asm__ volatile("mv sp, zero\n sw ra, -8(sp)" ::: "memory");
}

/* The last one: its job never ends, only its budget does, again and again. */
static void endless_loop(void)
{
    for (;;) {
        __asm__ volatile("");
    }
}

/* FAULT: the job must end with a fault. BACK: it is allowed and must come back. */
enum outcome { FAULT, BACK };

struct attempt {
    const char *name;
    void (*run)(void);
    enum outcome outcome;
};

#define FAULTS(function) {#function, function, FAULT}

static const struct attempt attempts[] = {
    FAULTS(read_first), FAULTS(read_second), FAULTS(read_third),
    FAULTS(write_first), FAULTS(write_second), FAULTS(write_third),
    FAULTS(run_first), FAULTS(run_second), FAULTS(run_third),
    FAULTS(swap_first), FAULTS(reserve_second), FAULTS(write_foreign_stack), FAULTS(read_foreign_console),
    FAULTS(read_kernel), FAULTS(write_kernel), FAULTS(run_kernel),
    FAULTS(read_system), FAULTS(write_system), FAULTS(write_user_memory),
    FAULTS(power_off), FAULTS(stop_the_timer), FAULTS(send_itself_an_interrupt), FAULTS(claim_an_interrupt),
    FAULTS(write_to_the_console_device), FAULTS(read_null), FAULTS(write_null), FAULTS(jump_to_null),
    FAULTS(jump_to_odd_address), FAULTS(jump_to_unmapped),
    FAULTS(write_code), FAULTS(write_constant), FAULTS(run_data), FAULTS(run_stack), FAULTS(write_board),
    FAULTS(run_board), FAULTS(wrap_around), FAULTS(beyond_sv39), FAULTS(load_across_the_end),
    FAULTS(break_point), FAULTS(illegal), FAULTS(floating), FAULTS(deep_recursion), FAULTS(lost_stack),
    {"read_board", read_board, BACK},
};

#define ATTEMPTS (sizeof(attempts) / sizeof(attempts[0]))

static unsigned next;
static int back;

int run(void)
{
    if (!hostile) {
        return 0;
    }
    if (next > 0) {
        const struct attempt *last = &attempts[next - 1];
        if (back != (last->outcome == BACK)) {
            printf("BROKEN: %s %s\n", last->name, back ? "came back" : "did not come back");
        }
    }
    if (next == ATTEMPTS) {
        printf("%u attempts made, now for ever\n", next);
        endless_loop();
    }
    back = 0;
    next++;
    attempts[next - 1].run();
    back = 1;
    return 0;
}
