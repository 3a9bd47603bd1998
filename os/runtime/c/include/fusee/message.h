/*
 * Messages: what generated code packs and unpacks arguments with.
 *
 * A value takes whole words, in the order of the parameters. An array is its
 * length and then its elements, a text its bytes with the zero at the end. The
 * sender writes into its own message area; the receiver first copies what came,
 * because the area is needed again for whatever it invokes itself. Reading and
 * writing never leave the 120 words, whatever lengths a message claims.
 */
#pragma once

#include <fusee.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

struct fusee_writer {
    fusee_word *words;
    size_t used;
    bool refused;
};

struct fusee_reader {
    const fusee_word *words;
    size_t used;
    size_t count;
    bool refused;
};

/* No value is longer than this, in whatever it travels. */
#define FUSEE_LONGEST ((size_t)1 << 20)

/* How many words so many bytes take. */
#define FUSEE_WORDS(bytes) (((bytes) + sizeof(fusee_word) - 1) / sizeof(fusee_word))

static inline struct fusee_writer fusee_writer(void)
{
    return (struct fusee_writer){fusee_message(), 0, false};
}

static inline struct fusee_reader fusee_reader(const fusee_word *words, size_t count)
{
    return (struct fusee_reader){words, 0, count, false};
}

static inline __attribute__((always_inline)) void fusee_put(struct fusee_writer *w, const void *value, size_t bytes)
{
    if (w->refused || bytes > FUSEE_MESSAGE_BYTES || FUSEE_WORDS(bytes) > FUSEE_MESSAGE_WORDS - w->used) {
        w->refused = true;
        return;
    }
    if (bytes % sizeof(fusee_word) != 0) {
        w->words[w->used + bytes / sizeof(fusee_word)] = 0;
    }
    memcpy(w->words + w->used, value, bytes);
    w->used += FUSEE_WORDS(bytes);
}

/* Where the next value lies in the message; NULL if the message ends before it does. */
static inline __attribute__((always_inline)) const void *fusee_next(struct fusee_reader *r, size_t bytes)
{
    if (r->refused || bytes > FUSEE_LONGEST || FUSEE_WORDS(bytes) > r->count - r->used) {
        r->refused = true;
        return NULL;
    }
    const void *value = r->words + r->used;
    r->used += FUSEE_WORDS(bytes);
    return value;
}

/* The next value; zeros if there is none. */
static inline __attribute__((always_inline)) void fusee_get(struct fusee_reader *r, void *value, size_t bytes)
{
    const void *found = fusee_next(r, bytes);
    if (found != NULL) {
        memcpy(value, __builtin_assume_aligned(found, sizeof(fusee_word)), bytes);
    } else {
        memset(value, 0, bytes);
    }
}

/* The functions below are for values whose length is known only at run time. */
void fusee_put_text(struct fusee_writer *w, const char *text);
void fusee_put_array(struct fusee_writer *w, const void *elements, size_t count, size_t bytes);
void fusee_put_texts(struct fusee_writer *w, char *const *texts, size_t count);
const char *fusee_next_text(struct fusee_reader *r);
const void *fusee_next_array(struct fusee_reader *r, size_t *count, size_t bytes);
/* Pointers to texts in the message, in a table of `most`. */
char **fusee_next_texts(struct fusee_reader *r, size_t *count, char **table, size_t most);
/* Copies on the heap, for values that the other side may free. */
char *fusee_copy_text(struct fusee_reader *r);
void *fusee_copy_array(struct fusee_reader *r, size_t *count, size_t bytes);
char **fusee_copy_texts(struct fusee_reader *r, size_t *count);
void fusee_free_texts(char **texts, size_t count);

/*
 * Invokes a method with the message that was written; returns how many words came
 * back, 0 after a failure. `target` is the slot with the method above it.
 */
size_t fusee_invoke(struct fusee_writer *w, fusee_word target);

/* Ends an answer; returns its length in words, 0 if it does not fit. */
size_t fusee_answer(struct fusee_writer *w);

/*
 * The same through memory that caller and callee share, for connections that have some. What came is copied before it
 * is read: the other side can still write there. Answers why nothing came back, or 0 and how many words came.
 */
struct fusee_long_writer {
    fusee_word *words;
    size_t most; /* bytes */
    size_t used; /* words */
    bool refused;
};

struct fusee_buffer {
    fusee_word *words;
    size_t bytes;
};

void fusee_long_put(struct fusee_long_writer *w, const void *value, size_t bytes);
void fusee_long_put_text(struct fusee_long_writer *w, const char *text);
void fusee_long_put_array(struct fusee_long_writer *w, const void *elements, size_t count, size_t bytes);
void fusee_long_put_texts(struct fusee_long_writer *w, char *const *texts, size_t count);
fusee_word fusee_long_invoke(const struct fusee_long_writer *w, fusee_word target, fusee_word *answer, size_t *words);
size_t fusee_long_answer(const struct fusee_long_writer *w);

/* The last error of this stack. */
extern _Thread_local int fusee_error;

/* Errors of this library's own: a message is mutilated, or does not fit; the heap is used up. */
#define FUSEE_BAD_MESSAGE 128
#define FUSEE_TOO_LONG 129
#define FUSEE_NO_MEMORY 130
/* Another thread of the component is in a call through the same shared memory. */
#define FUSEE_BUSY 131

/*
 * Messages all of whose values have a fixed length: each lies at a place that the
 * compiler knows, so it goes straight into a register or into the message area.
 * `registers` are the words that travel in registers; the rest are in the area. The
 * macros say what the functions cannot: how a value of that type is aligned.
 */
#define FUSEE_SET(registers, at, value, type) \
    fusee_set(registers, at, __builtin_assume_aligned(value, _Alignof(type)), sizeof(type))
#define FUSEE_TAKE(registers, at, value, type) \
    fusee_take(registers, at, __builtin_assume_aligned(value, _Alignof(type)), sizeof(type))

static inline __attribute__((always_inline)) void fusee_set(fusee_word *registers, size_t at, const void *value,
                                                           size_t bytes)
{
    for (size_t word = 0; word < FUSEE_WORDS(bytes); word++) {
        size_t left = bytes - word * sizeof(fusee_word);
        fusee_word part = 0;
        memcpy(&part, (const char *)value + word * sizeof part, left < sizeof part ? left : sizeof part);
        if (at + word < FUSEE_REGISTER_WORDS) {
            registers[at + word] = part;
        } else {
            fusee_message()[at + word] = part;
        }
    }
}

static inline __attribute__((always_inline)) void fusee_take(const fusee_word *registers, size_t at, void *value,
                                                            size_t bytes)
{
    for (size_t word = 0; word < FUSEE_WORDS(bytes); word++) {
        size_t left = bytes - word * sizeof(fusee_word);
        fusee_word part =
            at + word < FUSEE_REGISTER_WORDS ? registers[at + word] : fusee_message()[at + word];
        memcpy((char *)value + word * sizeof part, &part, left < sizeof part ? left : sizeof part);
    }
}

/*
 * Keeps a pointer on the stack while an invocation is under way. The compiler would
 * keep it in a register that calls preserve, and would have to save that one: three
 * instructions instead of two.
 */
#define FUSEE_KEEP(pointer) __typeof__(pointer) volatile pointer##_kept_ = pointer

/* All that is to be kept is on the stack before the registers are needed for the message. */
#define FUSEE_KEPT() __asm__ volatile("" ::: "memory")

/* How many words of a message lie in the area behind those in registers. */
#define FUSEE_FURTHER(words) ((words) > FUSEE_REGISTER_WORDS ? (words) - FUSEE_REGISTER_WORDS : 0)

/*
 * Invokes a method with so many further words, and puts the answer's first words into
 * `registers`. Answers 0, or why there is no answer of `expected` further words.
 */
static inline __attribute__((always_inline)) fusee_word fusee_call(fusee_word *registers, fusee_word target,
                                                                  size_t further, size_t expected)
{
    register fusee_word a0 __asm__("a0") = registers[0];
    register fusee_word a1 __asm__("a1") = registers[1];
    register fusee_word a2 __asm__("a2") = registers[2];
    register fusee_word a3 __asm__("a3") = registers[3];
    register fusee_word a4 __asm__("a4") = registers[4];
    register fusee_word a5 __asm__("a5") = registers[5];
    register fusee_word a6 __asm__("a6") = target;
    register fusee_word a7 __asm__("a7") = FUSEE_INVOKE;
    register fusee_word t0 __asm__("t0") = further;
    __asm__ volatile("ecall"
                     : "+r"(a0), "+r"(a1), "+r"(a2), "+r"(a3), "+r"(a4), "+r"(a5), "+r"(a6), "+r"(a7), "+r"(t0)
                     :
                     : "t1", "t2", "t3", "t4", "t5", "t6", "memory");
    registers[0] = a0;
    registers[1] = a1;
    registers[2] = a2;
    registers[3] = a3;
    registers[4] = a4;
    registers[5] = a5;
    return a7 != 0 ? a7 : t0 < expected ? FUSEE_BAD_MESSAGE : 0;
}

/* Ends an invocation with an answer that has so many further words. */
static inline __attribute__((always_inline, noreturn)) void fusee_end(const fusee_word *registers, size_t further)
{
    register fusee_word a0 __asm__("a0") = registers[0];
    register fusee_word a1 __asm__("a1") = registers[1];
    register fusee_word a2 __asm__("a2") = registers[2];
    register fusee_word a3 __asm__("a3") = registers[3];
    register fusee_word a4 __asm__("a4") = registers[4];
    register fusee_word a5 __asm__("a5") = registers[5];
    register fusee_word a7 __asm__("a7") = FUSEE_RETURN;
    register fusee_word t0 __asm__("t0") = further;
    __asm__ volatile("ecall\n\tebreak"
                     :
                     : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "r"(a4), "r"(a5), "r"(a7), "r"(t0)
                     : "memory");
    __builtin_unreachable();
}
