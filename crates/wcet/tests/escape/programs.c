/* Addresses in the stack that are lost sight of on the way, and found again.
 *
 * Each function overwrites its local `rounds`, of which the analysis knew that
 * it was 4, through such an address; with 40 as its argument it writes 40.
 */
#define LOOP(rounds) \
    int end = *(volatile int *)&(rounds); \
    for (int k = 0; k < end; k++) sink += k

#define LOOP_AGAIN(rounds) \
    int last = *(volatile int *)&(rounds); \
    for (int k = 0; k < last; k++) sink += k

static volatile int sink, other;
static int elsewhere;
static int *somewhere = &elsewhere;

void escape_of_sum(int n)
{
    volatile int table[4];
    table[0] = 1, table[1] = 4, table[2] = 5, table[3] = 3;
    table[n - 39] = n;
    LOOP(table[1]);
}

void escape_of_limited_sum(int n)
{
    volatile int table[4];
    unsigned index = (unsigned)n - 39;
    table[0] = 1, table[1] = 4, table[2] = 5, table[3] = 3;
    if (index > 3) return;
    table[index] = n;
    LOOP(table[1]);
}

void escape_by_load(int n)
{
    int rounds = 4, second = 5;
    int *volatile table[2];
    table[0] = &rounds, table[1] = &second;
    int *const *chosen = (int *const *)table;
    *chosen[n & 1] = n;
    LOOP(rounds);
}

void escape_by_store(int n)
{
    int rounds = 4;
    int *volatile table[2];
    table[0] = &elsewhere, table[1] = &elsewhere;
    table[n & 1] = &rounds;
    *table[0] = n;
    LOOP(rounds);
}

void escape_by_bytes(int n)
{
    int rounds = 4, *from = &rounds, *to;
    volatile unsigned short *source = (volatile unsigned short *)&from, *copy = (volatile unsigned short *)&to;
    for (unsigned i = 0; i < sizeof from / 2; i++) copy[i] = source[i];
    *to = n;
    LOOP(rounds);
}

void escape_by_way(int n)
{
    int rounds = 4;
    int *volatile place;
    if (n == 40) place = &rounds;
    else place = &elsewhere;
    *place = n;
    LOOP(rounds);
}

void escape_by_overwriting(int n)
{
    int rounds = 4;
    int *volatile place = &elsewhere;
    if (n == 40) place = &rounds;
    *place = n;
    LOOP(rounds);
}

void escape_through_memory(int n)
{
    static int *volatile table[2];
    int rounds = 4;
    table[0] = &elsewhere, table[1] = &elsewhere;
    table[n & 1] = &rounds;
    *table[0] = n;
    LOOP(rounds);
}

/* What is behind an address that was found again is not what it was before. */
void escape_and_return(int n)
{
    static int *volatile table[2];
    int rounds = 1;
    table[n & 1] = &rounds;
    int *found = table[0];
    *found = 4;
    *(volatile int *)&rounds = n;
    LOOP(*found);
}

/* A limited index reaches nothing but its table. */
void stay(int n)
{
    volatile int table[4], rounds = 4;
    table[n & 3] = n;
    LOOP(rounds);
}

/* One of two locals, and no other, is written through a pointer from a table. */
void escape_by_table(int n)
{
    volatile int first = 4, second = 3, third = 2;
    volatile int *volatile table[2];
    table[0] = &first, table[1] = &second;
    *table[n >> 3 & 1] = n;
    LOOP(second);
}

void stay_beside(int n)
{
    volatile int rounds = 4;
    volatile int first = 4, second = 3;
    volatile int *volatile table[2];
    table[0] = &first, table[1] = &second;
    table[n & 1] = &second;
    *table[n >> 3 & 1] = n & 7;
    LOOP(first);
    LOOP_AGAIN(rounds);
}

/* What is left of a word of which a byte was written. */
void stay_in_part(int n)
{
    volatile union { unsigned word; unsigned char bytes[4]; } both;
    both.word = 0x00040000;
    both.bytes[0] = (unsigned char)n;
    volatile int rounds = both.bytes[2];
    LOOP(rounds);
}

/* The end of a table is a pointer that depends on the input. */
void stay_below_end(int n)
{
    volatile int table[8];
    for (volatile int *p = table; p != table + (n & 7); p++) *p = n;
}

/* An address that is copied byte by byte is the same address: nothing but `own` is written. */
void stay_by_bytes(int n)
{
    volatile int rounds = 4;
    int own, *from = &own, *to;
    volatile unsigned char *source = (volatile unsigned char *)&from, *copy = (volatile unsigned char *)&to;
    for (unsigned i = 0; i < sizeof from; i++) copy[i] = source[i];
    *to = n;
    LOOP(rounds);
}

/* Bytes of two addresses are neither of them. */
void escape_by_mixed_bytes(int n)
{
    _Alignas(16) volatile int table[4];
    volatile int *first = &table[0], *second = &table[1], *to;
    volatile unsigned char *source = (volatile unsigned char *)&first, *copy = (volatile unsigned char *)&to;
    table[0] = 3, table[1] = 4;
    for (unsigned i = 1; i < sizeof first; i++) copy[i] = source[i];
    copy[0] = *(volatile unsigned char *)&second;
    *to = n;
    LOOP(table[1]);
}

/* Nor is one of which a byte was changed. */
void escape_by_changed_byte(int n)
{
    _Alignas(16) volatile int table[4];
    volatile int *from = &table[0], *to;
    volatile unsigned char *source = (volatile unsigned char *)&from, *copy = (volatile unsigned char *)&to;
    table[0] = 3, table[1] = 4;
    for (unsigned i = 0; i < sizeof from; i++) copy[i] = source[i];
    copy[0] ^= 4;
    *to = n;
    LOOP(table[1]);
}

/* One of two paths knows the address, the other one any number: the second one covers the first
 * but for what is stored through it. */
void escape_into_a_number(int n)
{
    int rounds = 4, *to = *(int *volatile *)&somewhere;
    if (other == 0) to = &rounds;
    *to = n;
    LOOP(rounds);
}

void escape_into_a_number_first(int n)
{
    int rounds = 4, *to = &rounds;
    if (other != 0) to = *(int *volatile *)&somewhere;
    *to = n;
    LOOP(rounds);
}

void escape_into_a_cell(int n)
{
    int rounds = 4;
    int *volatile to = *(int *volatile *)&somewhere;
    if (other == 0) to = &rounds;
    *to = n;
    LOOP(rounds);
}

void escape_where_nothing_was(int n)
{
    int rounds = 4;
    int *volatile first = &rounds, *volatile to, *address = first;
    if (other == 0) to = address;
    *to = n;
    LOOP(rounds);
}
