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
    if (r->refused || bytes > FUSEE_MESSAGE_BYTES || FUSEE_WORDS(bytes) > r->count - r->used) {
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

/* An error of this library's own: the message does not fit, is mutilated, or memory is short. */
#define FUSEE_BAD_MESSAGE 128
