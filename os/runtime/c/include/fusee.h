/*
 * What Fusee's kernel offers to a component.
 *
 * Every operation is one `ecall`: a7 says which, a6 which capability (and, for
 * an invocation, which method), a0 to a5 carry the first six words of a message,
 * t0 says how many more lie in the message area just below `tp`. Generated code
 * does all of it; a component calls the functions that its interfaces are named
 * after. The constants are those of the crate `fusee-image-format`.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* A machine word: what a register holds. */
typedef uintptr_t fusee_word;

/* Operations, in a7. */
#define FUSEE_INVOKE 0
#define FUSEE_RETURN 1
#define FUSEE_COMPLETE 2
#define FUSEE_SIGNAL 3
#define FUSEE_WAIT 4
#define FUSEE_POLL 5
#define FUSEE_YIELD 6
#define FUSEE_ACKNOWLEDGE 7
#define FUSEE_LOCK 8
#define FUSEE_UNLOCK 9

/* Why a signal is refused whose count is full (Error::CountFull of the kernel). */
#define FUSEE_COUNT_FULL 11

/* Words of a message that go in registers. */
#define FUSEE_REGISTER_WORDS 6
/* The most words of a message, in each direction. */
#define FUSEE_MESSAGE_WORDS 120
#define FUSEE_MESSAGE_BYTES (FUSEE_MESSAGE_WORDS * sizeof(fusee_word))

/* What an operation answers. */
struct fusee_answer {
    fusee_word error; /* 0, or why it was refused */
    fusee_word value; /* a0 */
};

/* An operation on a capability that carries no message. */
static inline struct fusee_answer fusee_operation(fusee_word operation, fusee_word slot)
{
    register fusee_word a0 __asm__("a0") = 0;
    register fusee_word a6 __asm__("a6") = slot;
    register fusee_word a7 __asm__("a7") = operation;
    register fusee_word t0 __asm__("t0") = 0;
    __asm__ volatile("ecall"
                     : "+r"(a0), "+r"(a6), "+r"(a7), "+r"(t0)
                     :
                     : "a1", "a2", "a3", "a4", "a5", "t1", "t2", "t3", "t4", "t5", "t6", "memory");
    return (struct fusee_answer){a7, a0};
}

/* Lets other threads of the same priority run. */
static inline void fusee_yield(void)
{
    (void)fusee_operation(FUSEE_YIELD, 0);
}

/* Reads a control register by number; written as bits so that no extension need be named. */
#define FUSEE_READ_REGISTER(number, value) \
    __asm__ volatile(".insn i 0x73, 2, %0, x0, " #number : "=r"(value))

#ifdef FUSEE_CLOCK
/* The clock's words where there is no register for it: the page is the same for all, and only read. */
#define FUSEE_CLOCK_WORD(word) (((const volatile uint32_t *)FUSEE_CLOCK)[word])
#endif

/* The time since the machine started, in nanoseconds on QEMU. */
static inline uint64_t fusee_now(void)
{
#ifdef FUSEE_CLOCK
    uint32_t high, low, again;
    do {
        high = FUSEE_CLOCK_WORD(1);
        low = FUSEE_CLOCK_WORD(0);
        again = FUSEE_CLOCK_WORD(1);
    } while (high != again);
    return (uint64_t)high << 32 | low;
#elif __riscv_xlen == 64
    uint64_t now;
    FUSEE_READ_REGISTER(-1024, now); /* 0xc00, cycle */
    return now;
#else
    uint32_t high, low, again;
    do {
        FUSEE_READ_REGISTER(-896, high); /* 0xc80, cycleh */
        FUSEE_READ_REGISTER(-1024, low);
        FUSEE_READ_REGISTER(-896, again);
    } while (high != again);
    return (uint64_t)high << 32 | low;
#endif
}

#ifndef __clang__
/* The thread pointer where it is: GCC then addresses the message area by it, without a copy. */
register char *fusee_thread __asm__("tp");
#endif

/* The message area of the stack that this code runs on. */
static inline fusee_word *fusee_message(void)
{
#ifdef __clang__
    char *fusee_thread;
    __asm__("mv %0, tp" : "=r"(fusee_thread));
#endif
    return (fusee_word *)(void *)(fusee_thread - FUSEE_MESSAGE_BYTES);
}

/*
 * Executes exactly `instructions` instructions, the call and the return included; at least 8.
 * Where an instruction is no tick of the clock, it takes so many ticks less some hundreds, which
 * are for what is around it and is not in the caches.
 */
void fusee_compute(uintptr_t instructions);

/*
 * Why the last failed operation of this thread in this component failed; 0: none
 * has failed since the last question. An invocation that fails returns zeros.
 */
int fusee_take_error(void);

/* Remembers a failure for fusee_take_error, and counts it for who reads the run; called by generated code. */
void fusee_failed(fusee_word error);

/* The answer to an operation whose caller looks at the error itself; a failure counts all the same. */
static inline fusee_word fusee_checked(fusee_word error)
{
    if (__builtin_expect(error != 0, 0)) {
        fusee_failed(error);
    }
    return error;
}

/* Writes text to the console buffer of the component. */
void fusee_write_console(const char *text, size_t length);
