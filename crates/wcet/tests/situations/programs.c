/* One situation each. Those named alone have a bound without a fact; those named asked get one by
 * the single fact that the analysis asks for. Each takes longest with an argument of 15, or with
 * none. */
#include <stdarg.h>
#define APART __attribute__((noinline))

typedef unsigned char byte;
volatile int port;

/* A table of places, as a switch has it. */
APART int alone_switch(unsigned way)
{
    switch (way & 7) {
    case 0: return port + 1;
    case 1: port = 3; return 9;
    case 2: return port * 3;
    case 3: port = way; return 1;
    case 4: return port ^ 5;
    case 5: port = -2; return 7;
    case 6: return port << 2;
    default: port = 1; port = 2; port = 3; return port - port;
    }
}

/* An interpreter. */
byte orders[16];
APART int alone_orders(int number)
{
    for (int at = 0; at < 16; at++) {
        switch (orders[at] & 3) {
        case 0: number++; break;
        case 1: number = port; break;
        case 2: number = -number; break;
        default: break;
        }
    }
    return number;
}

/* Functions in a table of constants. */
static APART int first(int x) { port = x; return x; }
static APART int second(int x)
{
    for (int i = 0; i < 5; i++)
        port = i;
    return x;
}
static APART int third(int x) { return -x; }
static int (*const table[])(int) = {first, second, third, first};
APART int alone_table(unsigned which) { return table[which & 3](port); }
APART int alone_checked_table(unsigned which)
{
    if (which >= 3)
        which = 1;
    return table[which](port) + 1;
}

APART int summed(int many, ...)
{
    va_list all;
    va_start(all, many);
    if (many > 4)
        many = 4;
    int sum = 0;
    for (int i = 0; i < many; i++)
        sum += va_arg(all, int);
    va_end(all);
    return sum;
}
APART int alone_arguments(void) { return summed(3, 1, port, 3); }

/* A text in an array with an end, a length in a byte, and one in five bits. */
char text[64];
APART int alone_text(void)
{
    text[63] = 0;
    int length = 0;
    while (text[length])
        length++;
    return length;
}

struct message {
    byte length;
    byte data[255];
} message;
APART int alone_message(void)
{
    int sum = 0;
    for (int i = 0; i < message.length; i++)
        sum ^= message.data[i];
    return sum;
}

struct header {
    unsigned length : 5, rest : 27;
} header;
int words[32];
APART int alone_header(void)
{
    int sum = 0;
    for (unsigned i = 0; i < header.length; i++)
        sum += words[i];
    return sum;
}

APART int alone_retries(void)
{
    for (int i = 0; i < 1000; i++)
        if (port & 1)
            return 0;
    return -1;
}

APART int alone_digits(void)
{
    unsigned number = (unsigned)port;
    int digits = 0;
    do {
        digits++;
        number /= 10;
    } while (number);
    return digits;
}

/* A function in memory that is written, a list there, and numbers of which nothing is known. */
struct driver {
    int (*read)(int);
    int number;
} driver = {second, 3};
APART int asked_driver(int number) { return driver.read(number) + 1; }

struct node {
    struct node *next;
    int value;
};
struct node nodes[3] = {{&nodes[1], 1}, {&nodes[2], 2}, {0, 3}};
APART int asked_list(void)
{
    int sum = 0;
    for (struct node *node = nodes; node; node = node->next)
        sum += node->value;
    return sum;
}

const int *begin = words, *end = words + 3;
APART int asked_span(void)
{
    int sum = 0;
    for (const int *at = begin; at != end; at++)
        sum += *at;
    return sum;
}

APART int asked_count(int count)
{
    int sum = 0;
    for (int i = 0; i < count; i++)
        sum += port;
    return sum;
}

void measure_all(void)
{
}
