/*
 * printf and its relatives, small enough to be analysed.
 *
 * Its stack is known, nothing is allocated and every loop has a bound that the
 * format and its arguments give. Text collects in a line on the caller's stack and
 * goes to the console in chunks. Conversions: c s d i u x X o p f % with flags, width,
 * precision and the lengths hh h l ll z j t. What picolibc has beside these
 * (snprintf, sscanf, ...) is picolibc's own.
 */
#include <fusee.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

struct line {
    char text[96];
    size_t used;
    int total;
};

struct conversion {
    bool left, zero, plus, space, alternate;
    int width, precision; /* precision -1: none given */
};

static void flush(struct line *line)
{
    fusee_write_console(line->text, line->used);
    line->used = 0;
}

static void put(struct line *line, char c)
{
    if (line->used == sizeof line->text) {
        flush(line);
    }
    line->text[line->used++] = c;
    line->total++;
}

static void repeat(struct line *line, char c, int times)
{
    while (times-- > 0) {
        put(line, c);
    }
}

/* A sign or prefix, digits or text, in a field. */
static void field(struct line *line, const struct conversion *how, const char *sign, const char *text, int length)
{
    int signs = (int)strlen(sign);
    int padding = how->width - signs - length;
    bool zeros = how->zero && !how->left;
    if (!how->left && !zeros) {
        repeat(line, ' ', padding);
    }
    while (*sign != 0) {
        put(line, *sign++);
    }
    if (zeros) {
        repeat(line, '0', padding);
    }
    for (int i = 0; i < length; i++) {
        put(line, text[i]);
    }
    if (how->left) {
        repeat(line, ' ', padding);
    }
}

/* Writes digits backwards; returns where they start. */
static char *digits(char *end, unsigned long long value, unsigned base, const char *figures)
{
    do {
        *--end = figures[value % base];
        value /= base;
    } while (value != 0);
    return end;
}

static void integer(struct line *line, struct conversion how, const char *sign, unsigned long long value, char kind)
{
    char buffer[48], *end = buffer + sizeof buffer;
    unsigned base = kind == 'x' || kind == 'X' ? 16 : kind == 'o' ? 8 : 10;
    char *start = digits(end, value, base, kind == 'X' ? "0123456789ABCDEF" : "0123456789abcdef");
    if (how.precision >= 0) {
        how.zero = false;
        if (how.precision == 0 && value == 0) {
            start = end;
        }
        while (end - start < how.precision && start > buffer) {
            *--start = '0';
        }
    }
    field(line, &how, sign, start, (int)(end - start));
}

static const char *sign_of(const struct conversion *how, bool negative)
{
    return negative ? "-" : how->plus ? "+" : how->space ? " " : "";
}

static void real(struct line *line, struct conversion how, double value)
{
    char buffer[48], *end = buffer + sizeof buffer;
    int places = how.precision < 0 ? 6 : how.precision > 9 ? 9 : how.precision;
    bool negative = __builtin_signbit(value);
    double size = negative ? -value : value;
    const char *sign = sign_of(&how, negative);
    if (!(size < 1e18)) {
        how.zero = false;
        field(line, &how, sign, size != size ? "nan" : size > 1e308 ? "inf" : ">1e18", size != size || size > 1e308 ? 3 : 5);
        return;
    }
    unsigned long long scale = 1;
    for (int i = 0; i < places; i++) {
        scale *= 10;
    }
    unsigned long long whole = (unsigned long long)size;
    double rest = (size - (double)whole) * (double)scale;
    unsigned long long part = (unsigned long long)rest;
    double left = rest - (double)part;
    part += left > 0.5 || (left == 0.5 && (places == 0 ? whole : part) % 2 == 1);
    if (part >= scale) {
        part -= scale;
        whole++;
    }
    if (places > 0) {
        char *start = digits(end, part, 10, "0123456789");
        while (end - start < places) {
            *--start = '0';
        }
        *--start = '.';
        end = start;
    }
    char *start = digits(end, whole, 10, "0123456789");
    field(line, &how, sign, start, (int)(buffer + sizeof buffer - start));
}

static const char *flags(const char *at, struct conversion *how)
{
    for (;; at++) {
        switch (*at) {
        case '-': how->left = true; break;
        case '0': how->zero = true; break;
        case '+': how->plus = true; break;
        case ' ': how->space = true; break;
        case '#': how->alternate = true; break;
        default: return at;
        }
    }
}

static const char *number(const char *at, int *value)
{
    for (*value = 0; *at >= '0' && *at <= '9'; at++) {
        *value = *value < 10000 ? *value * 10 + (*at - '0') : *value;
    }
    return at;
}

static const char *length_of(const char *at, int *longs)
{
    for (;; at++) {
        switch (*at) {
        case 'l': *longs += 1; break;
        case 'h': *longs -= 1; break;
        case 'z': case 't': *longs = 1; break;
        case 'j': *longs = 2; break;
        default: return at;
        }
    }
}

static long long signed_argument(va_list *list, int longs)
{
    switch (longs) {
    case -2: return (signed char)va_arg(*list, int);
    case -1: return (short)va_arg(*list, int);
    case 0: return va_arg(*list, int);
    case 1: return va_arg(*list, long);
    default: return va_arg(*list, long long);
    }
}

static unsigned long long unsigned_argument(va_list *list, int longs)
{
    switch (longs) {
    case -2: return (unsigned char)va_arg(*list, unsigned);
    case -1: return (unsigned short)va_arg(*list, unsigned);
    case 0: return va_arg(*list, unsigned);
    case 1: return va_arg(*list, unsigned long);
    default: return va_arg(*list, unsigned long long);
    }
}

static void text(struct line *line, struct conversion how, const char *value)
{
    value = value == NULL ? "(null)" : value;
    how.zero = false;
    size_t length = how.precision < 0 ? strlen(value) : strnlen(value, (size_t)how.precision);
    field(line, &how, "", value, (int)length);
}

static void convert(struct line *line, struct conversion how, char kind, int longs, va_list *list)
{
    switch (kind) {
    case 'd': case 'i': {
        long long value = signed_argument(list, longs);
        unsigned long long size = value < 0 ? -(unsigned long long)value : (unsigned long long)value;
        integer(line, how, sign_of(&how, value < 0), size, kind);
        break;
    }
    case 'u': case 'x': case 'X': case 'o': {
        unsigned long long value = unsigned_argument(list, longs);
        integer(line, how, how.alternate && value != 0 ? (kind == 'x' ? "0x" : kind == 'X' ? "0X" : kind == 'o' ? "0" : "") : "", value, kind);
        break;
    }
    case 'p': integer(line, how, "0x", (uintptr_t)va_arg(*list, void *), 'x'); break;
    case 'f': case 'F': case 'g': case 'e': real(line, how, va_arg(*list, double)); break;
    case 'c': {
        char c = (char)va_arg(*list, int);
        field(line, &how, "", &c, 1);
        break;
    }
    case 's': text(line, how, va_arg(*list, const char *)); break;
    default: put(line, '%'); put(line, kind); break;
    }
}

int vprintf(const char *format, va_list arguments)
{
    struct line line = {.used = 0, .total = 0};
    va_list list;
    va_copy(list, arguments);
    while (*format != 0) {
        if (*format != '%' || *++format == '%') {
            put(&line, *format++);
            continue;
        }
        struct conversion how = {.precision = -1};
        int longs = 0;
        format = flags(format, &how);
        if (*format == '*') {
            how.width = va_arg(list, int);
            how.left |= how.width < 0;
            how.width = how.width < 0 ? -how.width : how.width;
            format++;
        } else {
            format = number(format, &how.width);
        }
        if (*format == '.') {
            if (*++format == '*') {
                how.precision = va_arg(list, int);
                format++;
            } else {
                format = number(format, &how.precision);
            }
        }
        format = length_of(format, &longs);
        if (*format != 0) {
            convert(&line, how, *format++, longs, &list);
        }
    }
    va_end(list);
    flush(&line);
    return line.total;
}

int printf(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    int total = vprintf(format, list);
    va_end(list);
    return total;
}

#undef putchar
#undef putc
int putchar(int c)
{
    char one = (char)c;
    fusee_write_console(&one, 1);
    return (unsigned char)one;
}

int puts(const char *text)
{
    return printf("%s\n", text);
}

/* What goes to a stream goes to the console too: picolibc's fprintf, fputs, perror. */
static int put_to_stream(char c, FILE *stream)
{
    (void)stream;
    fusee_write_console(&c, 1);
    return (unsigned char)c;
}

static int get_nothing(FILE *stream)
{
    (void)stream;
    return EOF;
}

static FILE console_stream = FDEV_SETUP_STREAM(put_to_stream, get_nothing, NULL, _FDEV_SETUP_RW);
FILE *const stdout = &console_stream;
FILE *const stderr = &console_stream;
FILE *const stdin = &console_stream;

/* A failed assertion says where and ends as a fault. */
__attribute__((noreturn)) void __assert_func(const char *file, int line, const char *function, const char *what)
{
    printf("%s:%d: %s: assertion failed: %s\n", file, line, function == NULL ? "?" : function, what);
    for (;;) {
        __asm__ volatile("ebreak");
    }
}
