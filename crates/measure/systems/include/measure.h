/*
 * Counting, for components that measure.
 *
 * One tick of the clock is one instruction, and reading it is one instruction: two
 * readings with nothing between them differ by 1. A path's numbers are printed as
 * one line for the host: `path NAME RUNS MIN MAX SUM SUM-OF-SQUARES`.
 */
#pragma once

#include <fusee.h>

struct path {
    uint64_t runs, min, max, sum, squares;
};

static inline void count(struct path *path, uint64_t ticks)
{
    if (path->runs == 0 || ticks < path->min) {
        path->min = ticks;
    }
    if (ticks > path->max) {
        path->max = ticks;
    }
    path->runs++;
    path->sum += ticks;
    path->squares += ticks * ticks;
}

static inline char *put_number(char *at, uint64_t number)
{
    char digits[20];
    int length = 0;
    do {
        digits[length++] = (char)('0' + number % 10);
        number /= 10;
    } while (number != 0);
    *at++ = ' ';
    while (length > 0) {
        *at++ = digits[--length];
    }
    return at;
}

static inline char *put_text(char *at, const char *text)
{
    while (*text != '\0') {
        *at++ = *text++;
    }
    return at;
}

static inline void print_path(const char *name, const struct path *path)
{
    char line[200];
    char *end = put_text(put_text(line, "path "), name);
    end = put_number(end, path->runs);
    end = put_number(end, path->min);
    end = put_number(end, path->max);
    end = put_number(end, path->sum);
    end = put_number(end, path->squares);
    *end++ = '\n';
    fusee_write_console(line, (size_t)(end - line));
}
