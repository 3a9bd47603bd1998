/* Programs whose bounds rest on facts; `prepare` makes the inputs for which the facts hold and are reached. */

unsigned rows[16], work[64], first, second, links[8];
volatile unsigned sink;

void measure_all(void) {}

void prepare(unsigned n)
{
    for (unsigned i = 0; i < 16; i++) rows[i] = n;
    first = n & 1;
    second = n & 2;
    for (unsigned i = 0; i < 8; i++) links[i] = i + 1 < n;
}

/* The rows together are never longer than 64. */
unsigned triangle(void)
{
    unsigned sum = 0;
    for (unsigned i = 0; i < 16; i++) {
        unsigned length = rows[i];
        for (unsigned j = 0; j < length; j++) /* inner */
            sum += sink;
    }
    return sum;
}

/* Two calls: the total counts in each of them. */
unsigned twice(void) { return triangle() + triangle(); }

/* Never both. */
__attribute__((noinline)) void read(void) { for (unsigned i = 0; i < 20; i++) sink = i; }
__attribute__((noinline)) void write(void) { for (unsigned i = 0; i < 30; i++) sink = i; }

void serve(void)
{
    if (first)
        read(); /* reading */
    if (second)
        write(); /* writing */
}

/* In each round one or the other. */
void rounds(void)
{
    for (unsigned i = 0; i < 3; i++) serve();
}

/* A chain of links, followed by recursion. */
__attribute__((noinline)) unsigned follow(unsigned at)
{
    if (!links[at & 7]) return 1;
    return follow(at + 1) + sink; /* deeper */
}

unsigned start(void) { return follow(0); }

/* A tree of links, followed by recursion that calls itself twice. */
__attribute__((noinline)) unsigned climb(unsigned at)
{
    if (!links[at & 7]) return 1;
    return climb(2 * at + 1) + climb(2 * at + 2) + sink;
}

unsigned root(void) { return climb(0) + 1; }

/* The same through a helper; only the first call shows its frame to others. */
unsigned *frame;
__attribute__((noinline)) unsigned twig(unsigned at);
__attribute__((noinline)) unsigned both(unsigned at)
{
    return twig(2 * at + 1) + twig(2 * at + 2) + sink;
}
unsigned twig(unsigned at)
{
    unsigned here = sink;
    if (!at) frame = &here;
    if (!links[at & 7]) return here;
    return both(at) + here;
}

unsigned trunk(void) { return twig(0) + 1; }

/* The same with loops inside one another in each call. */
__attribute__((noinline)) unsigned orchard(unsigned at)
{
    unsigned sum = 0;
    if (!links[at & 7]) return 1;
    for (unsigned i = 0; i < rows[0]; i++) /* outermost */
        for (unsigned j = 0; j < rows[1]; j++) /* between */
            for (unsigned k = 0; k < rows[2]; k++) /* innermost */
                sum += sink;
    return orchard(2 * at + 1) + orchard(2 * at + 2) + sum;
}

unsigned grove(void) { return orchard(0) + 1; }

/* A loop of two blocks that is entered at each of them. */
__asm__(
    ".globl crossing\n.type crossing, @function\ncrossing:\n"
    "la t0, rows\nlw a0, 0(t0)\nla t0, first\nlw t0, 0(t0)\nbnez t0, 2f\n"
    "1: addi a0, a0, -1\nnop\n"
    "2: addi a1, a1, 1\nbgtz a0, 1b\nret\n"
    ".size crossing, . - crossing\n");

/* Always 16 rounds. */
unsigned fixed(void)
{
    unsigned sum = 0;
    for (unsigned i = 0; i < 16; i++) /* counted */
        sum += sink;
    return sum;
}

/* Both loops on one line. */
unsigned nested(void)
{
    unsigned sum = 0;
    for (unsigned i = 0; i < first; i++) for (unsigned j = 0; j < second; j++) sum += sink; /* both */
    return sum;
}

/* Tables that are written at an index that nothing bounds, beside the number of rounds. */
volatile unsigned histogram[4], limit;

void count_one(void)
{
    limit = 6;
    histogram[first] = 1; /* counting */
    for (unsigned i = 0; i < limit; i++) sink = i;
}

void local(void)
{
    volatile unsigned table[4], rounds = 5;
    table[(int)first] = 1; /* own */
    for (unsigned i = 0; i < rounds; i++) sink = i;
}

void once(void)
{
    limit = 6; /* plain */
}

/* Sorts as many numbers as there are, the shorter part by calling itself. */
void sort(volatile unsigned *from, unsigned count)
{
    while (count > 1) {
        unsigned low = 0, high = count - 1, pivot = from[count / 2];
        for (;;) {
            while (from[low] < pivot) low++;
            while (from[high] > pivot) high--;
            if (low >= high) break;
            unsigned number = from[low];
            from[low++] = from[high];
            from[high--] = number;
        }
        if (high + 1 < count - high - 1) {
            sort(from, high + 1);
            from += high + 1;
            count -= high + 1;
        } else {
            sort(from + high + 1, count - high - 1);
            count = high + 1;
        }
    }
}

void sort_all(void) { sort((volatile unsigned *)&histogram, first); }

void (*volatile handler)(void);

/* A loop behind a call that nobody knows. */
void behind(void)
{
    handler();
    for (unsigned i = 0; i < first; i++) sink = i;
}

/* What is called sets the number of rounds. */
void set_behind(void)
{
    limit = 9;
    handler();
    for (unsigned i = 0; i < limit; i++) sink = i; /* set */
}
