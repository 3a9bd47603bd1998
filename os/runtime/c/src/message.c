/* Values whose length is known only at run time: see fusee/message.h. */

#include <fusee/message.h>

void fusee_put_text(struct fusee_writer *w, const char *text)
{
    fusee_put(w, text, strnlen(text, FUSEE_MESSAGE_BYTES) + 1);
}

void fusee_put_array(struct fusee_writer *w, const void *elements, size_t count, size_t bytes)
{
    if (bytes != 0 && count > FUSEE_MESSAGE_BYTES / bytes) {
        w->refused = true;
        return;
    }
    fusee_put(w, &count, sizeof count);
    fusee_put(w, elements, count * bytes);
}

void fusee_put_texts(struct fusee_writer *w, char *const *texts, size_t count)
{
    fusee_put(w, &count, sizeof count);
    for (size_t i = 0; i < count && !w->refused; i++) {
        fusee_put_text(w, texts[i]);
    }
}

const char *fusee_next_text(struct fusee_reader *r)
{
    const char *text = (const char *)(r->words + r->used);
    size_t room = (r->count - r->used) * sizeof(fusee_word);
    size_t length = r->refused ? room : strnlen(text, room);
    if (length == room) {
        r->refused = true;
        return "";
    }
    r->used += FUSEE_WORDS(length + 1);
    return text;
}

const void *fusee_next_array(struct fusee_reader *r, size_t *count, size_t bytes)
{
    fusee_get(r, count, sizeof *count);
    if (bytes != 0 && *count > FUSEE_LONGEST / bytes) {
        r->refused = true;
    }
    const void *elements = r->refused ? NULL : fusee_next(r, *count * bytes);
    if (r->refused) {
        *count = 0;
    }
    return elements;
}

char **fusee_next_texts(struct fusee_reader *r, size_t *count, char **table, size_t most)
{
    fusee_get(r, count, sizeof *count);
    if (*count > most) {
        r->refused = true;
        *count = 0;
    }
    for (size_t i = 0; i < *count; i++) {
        table[i] = (char *)(uintptr_t)fusee_next_text(r);
    }
    return table;
}

char *fusee_copy_text(struct fusee_reader *r)
{
    const char *text = fusee_next_text(r);
    size_t length = strlen(text) + 1;
    char *copy = malloc(length);
    if (copy == NULL) {
        fusee_failed(FUSEE_NO_MEMORY);
        return NULL;
    }
    return memcpy(copy, text, length);
}

void *fusee_copy_array(struct fusee_reader *r, size_t *count, size_t bytes)
{
    const void *elements = fusee_next_array(r, count, bytes);
    void *copy = malloc(*count * bytes + 1);
    if (copy == NULL || elements == NULL) {
        fusee_failed(FUSEE_BAD_MESSAGE);
        *count = 0;
        return copy;
    }
    return memcpy(copy, elements, *count * bytes);
}

char **fusee_copy_texts(struct fusee_reader *r, size_t *count)
{
    size_t wanted;
    fusee_get(r, &wanted, sizeof wanted);
    *count = 0;
    if (wanted > r->count) {
        r->refused = true;
        wanted = 0;
    }
    char **texts = malloc((wanted + 1) * sizeof *texts);
    while (texts != NULL && *count < wanted && !r->refused) {
        texts[*count] = fusee_copy_text(r);
        *count += texts[*count] != NULL;
    }
    return texts;
}

void fusee_free_texts(char **texts, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        free(texts[i]);
    }
    free(texts);
}

/* In start.S: takes the first words from the message area and puts the answer's there. */
size_t fusee_invoke_area(size_t words, fusee_word target);

/* The registers always travel: what no value fills must not carry leftovers. */
static void clear_registers(struct fusee_writer *w)
{
    for (size_t i = w->used; i < FUSEE_REGISTER_WORDS; i++) {
        w->words[i] = 0;
    }
}

size_t fusee_invoke(struct fusee_writer *w, fusee_word target)
{
    if (w->refused) {
        fusee_failed(FUSEE_TOO_LONG);
        return 0;
    }
    clear_registers(w);
    return fusee_invoke_area(w->used, target);
}

size_t fusee_answer(struct fusee_writer *w)
{
    if (w->refused) {
        fusee_failed(FUSEE_TOO_LONG);
        w->used = 0;
    }
    clear_registers(w);
    return w->used;
}

void fusee_long_put(struct fusee_long_writer *w, const void *value, size_t bytes)
{
    size_t room = w->most - w->used * sizeof(fusee_word);
    if (w->refused || w->used > w->most / sizeof(fusee_word) || bytes > room) {
        w->refused = true;
        return;
    }
    memcpy(w->words + w->used, value, bytes);
    w->used += FUSEE_WORDS(bytes);
}

void fusee_long_put_text(struct fusee_long_writer *w, const char *text)
{
    fusee_long_put(w, text, strnlen(text, w->most) + 1);
}

void fusee_long_put_array(struct fusee_long_writer *w, const void *elements, size_t count, size_t bytes)
{
    if (bytes != 0 && count > w->most / bytes) {
        w->refused = true;
        return;
    }
    fusee_long_put(w, &count, sizeof count);
    fusee_long_put(w, elements, count * bytes);
}

void fusee_long_put_texts(struct fusee_long_writer *w, char *const *texts, size_t count)
{
    fusee_long_put(w, &count, sizeof count);
    for (size_t i = 0; i < count && !w->refused; i++) {
        fusee_long_put_text(w, texts[i]);
    }
}

fusee_word fusee_long_invoke(const struct fusee_long_writer *w, fusee_word target, fusee_word *answer, size_t *words)
{
    fusee_word registers[FUSEE_REGISTER_WORDS] = {w->used};
    *words = 0;
    if (w->refused) {
        return FUSEE_TOO_LONG;
    }
    fusee_word error = fusee_call(registers, target, 0, 0);
    if (error != 0) {
        return error;
    }
    if (registers[0] > FUSEE_WORDS(w->most)) {
        return FUSEE_BAD_MESSAGE;
    }
    if (answer != NULL) {
        *words = registers[0];
        memcpy(answer, w->words, *words * sizeof *answer);
    }
    return 0;
}

size_t fusee_long_answer(const struct fusee_long_writer *w)
{
    if (w->refused) {
        fusee_failed(FUSEE_TOO_LONG);
    }
    return w->refused ? 0 : w->used;
}
