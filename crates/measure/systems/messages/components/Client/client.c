/* Sends messages of all shapes and of several lengths; a path's name ends in its words, both ways together. */
#include <camkes.h>
#include "measure.h"

#define RUNS @runs@

static char buffer[1024];
static const int lengths[] = {1, 2, 6, 7, 30, 60, 119, 120};
#define LENGTHS (sizeof lengths / sizeof *lengths)

#define MEASURE(path, action)                  \
    do {                                       \
        disturb();                             \
        uint64_t before = fusee_now();         \
        action;                                \
        count(path, fusee_now() - before - 1); \
    } while (0)

static void print_words(const char *shape, int words, const struct path *path)
{
    char name[48];
    char *end = put_text(put_text(name, "message."), shape);
    char *dot = end;
    end = put_number(end, (uint64_t)words);
    *end = '\0';
    *dot = '.';
    print_path(name, path);
}

/* The bytes of a text or array whose last of so many words is filled in the way of this run. */
static size_t filling(int words, int run)
{
    return (size_t)(words - 1) * 8 + (size_t)(run / 8 % 8);
}

static void texts(void)
{
    for (size_t at = 0; at < LENGTHS; at++) {
        struct path path = {0};
        for (int run = 0; run < RUNS; run++) {
            char *text = buffer + run % 8;
            size_t bytes = filling(lengths[at], run);
            for (size_t i = 0; i < bytes && run < 8; i++) {
                text[i] = 'x';
            }
            char was = text[bytes];
            text[bytes] = '\0';
            MEASURE(&path, post_text(text));
            text[bytes] = was == '\0' ? 'x' : was;
        }
        print_words("text", lengths[at], &path);
    }
}

static void arrays(void)
{
    for (size_t at = 1; at < LENGTHS; at++) {
        struct path path = {0}, referred = {0};
        for (int run = 0; run < RUNS; run++) {
            /* A word for the length comes before the elements. */
            size_t bytes = filling(lengths[at] - 1, run) + 1;
            uint8_t *array = (uint8_t *)buffer + run % 8;
            MEASURE(&path, post_array(bytes, array));
            MEASURE(&referred, post_reference(&bytes, &array));
        }
        print_words("array", lengths[at], &path);
        print_words("reference", lengths[at], &referred);
    }
}

static void values(void)
{
    struct path nothing = {0}, one = {0}, ten = {0}, narrow = {0}, several = {0}, empty = {0};
    for (int run = 0; run < RUNS; run++) {
        uint64_t w[10] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
        uint8_t b[10] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
        const uint8_t *none = b;
        MEASURE(&nothing, post_nothing());
        MEASURE(&one, post_one(w));
        MEASURE(&ten, post_ten(w, w + 1, w + 2, w + 3, w + 4, w + 5, w + 6, w + 7, w + 8, w + 9));
        MEASURE(&narrow, post_bytes(b, b + 1, b + 2, b + 3, b + 4, b + 5, b + 6, b + 7, b + 8, b + 9));
        MEASURE(&several, post_texts("", "1", "22", "333", "4444", "7777777"));
        MEASURE(&empty, post_arrays(0, none, 0, none, 0, none, 0, none, 0, none, 0, none));
    }
    print_words("nothing", 0, &nothing);
    print_words("value", 1, &one);
    print_words("values", 20, &ten);
    print_words("bytes", 20, &narrow);
    print_words("texts", 6, &several);
    print_words("arrays", 6, &empty);
}

int run(void)
{
    values();
    texts();
    arrays();
    return 0;
}
