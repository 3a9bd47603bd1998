/*
 * Counting, for components that measure.
 *
 * On QEMU one tick of the clock is one instruction, and reading it is one instruction:
 * two readings with nothing between them differ by 1. A path's numbers are printed as
 * one line for the host: `path NAME RUNS MIN MAX SUM SUM-OF-SQUARES`.
 */
#pragma once

#include <fusee.h>

#ifdef FUSEE_CYCLES
/*
 * Takes the place of everything in caches of 4 KiB with one way: a line of code and one
 * of data after the other.
 */
#define TEXT(words) #words
#define TEXT_OF(macro) TEXT(macro)

void disturb_code(void);
__asm__(".pushsection .text.disturb_code, \"ax\", @progbits\n"
        ".option push\n"
        ".option norelax\n"
        ".balign " TEXT_OF(FUSEE_CACHE_LINE) "\n"
        "disturb_code:\n"
        ".rept 4096 / " TEXT_OF(FUSEE_CACHE_LINE) "\n"
        "j 1f\n"
        ".balign " TEXT_OF(FUSEE_CACHE_LINE) "\n"
        "1:\n"
        ".endr\n"
        "ret\n"
        ".option pop\n"
        ".popsection\n");

static void __attribute__((noinline, unused)) disturb(void)
{
    static volatile uint64_t lines[4096 / sizeof(uint64_t)];
    for (unsigned line = 0; line < 4096; line += FUSEE_CACHE_LINE) {
        lines[line / sizeof(uint64_t)] = line;
        /* Not every cache takes a line because it is written. */
        (void)lines[line / sizeof(uint64_t)];
    }
    disturb_code();
}

/*
 * Keeps the memory busy: lines of data that no cache still has, each written back later,
 * and pages whose translations are forgotten meanwhile.
 */
static void __attribute__((noinline, unused)) walk(void)
{
    static volatile uint64_t lines[32768 / sizeof(uint64_t)];
    for (unsigned line = 0; line < 32768; line += FUSEE_CACHE_LINE) {
        lines[line / sizeof(uint64_t)]++;
    }
    disturb_code();
}
#else
/* There are no caches. */
static inline void disturb(void)
{
}

static inline void walk(void)
{
}
#endif

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
