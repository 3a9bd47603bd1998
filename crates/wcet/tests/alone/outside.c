/* What a function touches outside of its frame, where it is called so often that it is summed up. */

/* Something else has been stored before, so it is known here, and not where it is called. */
#define APART __attribute__((noinline, noclone, noipa))

unsigned calls, limit, other, length;
unsigned *place;
unsigned rows[16];

struct item { struct item *next; unsigned *to; };

/* Thousands of calls of functions that all store: too many to be executed one by one. */
static APART void leaf(void) { calls++; }
#define TWICE(of, name) static APART void name(void) { of(); other += calls; of(); }
TWICE(leaf, f1) TWICE(f1, f2) TWICE(f2, f3) TWICE(f3, f4) TWICE(f4, f5) TWICE(f5, f6)
TWICE(f6, f7) TWICE(f7, f8) TWICE(f8, f9) TWICE(f9, f10) TWICE(f10, f11)
TWICE(f11, f12) TWICE(f12, f13) TWICE(f13, f14)

static unsigned many(unsigned n)
{
    unsigned sum = 0;
    if (n <= 500)
        for (unsigned i = 0; i < n; i++) sum += rows[i & 15];
    return sum;
}

/* A function stores what is known, and it is another number for each call. */
static APART void raise(void) { limit += 60; }

unsigned rough_variable(void)
{
    limit = 0, f14();
    for (unsigned i = 0; i < 5; i++) raise();
    return many(limit);
}

/* The same through a pointer to a variable. */
static APART void raise_at(unsigned *at) { *at += 60; }

unsigned rough_pointer(void)
{
    limit = 0, f14();
    for (unsigned i = 0; i < 5; i++) raise_at(&limit);
    return many(limit);
}

/* The same through a pointer to what is in the stack. */
unsigned rough_local(void)
{
    unsigned own = 0;
    f14();
    for (unsigned i = 0; i < 5; i++) raise_at(&own);
    return many(own);
}

/* The same by a function that such a function calls. */
static APART void raise_twice(unsigned *at) { raise_at(at), raise(), raise_at(at); }

unsigned rough_deep(void)
{
    unsigned own = 0;
    limit = 0, f14();
    for (unsigned i = 0; i < 3; i++) raise_twice(&own);
    return many(limit) + own;
}

/* An address in the stack comes back from where it was kept in the stack. */
static APART unsigned *to_of(struct item *item) { return item->to; }

unsigned rough_returned(void)
{
    unsigned own = 0;
    struct item item = { 0, &own };
    f14();
    for (unsigned i = 0; i < 5; i++) *to_of(&item) += 60;
    return many(own);
}

/* An address in the stack is kept where nobody finds it again. */
static APART void keep(unsigned *at) { place = at; }
static APART void raise_kept(void) { *place += 60; }

unsigned rough_kept(void)
{
    unsigned own = 0;
    f14();
    for (unsigned i = 0; i < 5; i++) keep(&own), raise_kept();
    return many(own);
}

/* An address in the stack is put into what is in the stack. */
static APART void link(struct item *item, unsigned *at) { item->to = at; }

unsigned rough_linked(void)
{
    unsigned own = 0, second = 0;
    struct item item = { 0, &second };
    f14();
    for (unsigned i = 0; i < 5; i++) link(&item, &own), *item.to += 60;
    return many(own);
}

/* Something is stored through a pointer that may lead to the stack. */
static APART void set_at(unsigned *at, unsigned to) { *at = to; }

unsigned rough_lost(unsigned n)
{
    unsigned own = 0;
    struct item item = { 0, n < 9 ? &own : &other };
    keep(&own), f14();
    for (unsigned i = 0; i < 5; i++) set_at(item.to, 75 * i);
    return many(own);
}

/* Nothing that is asked for later was touched. */
unsigned stays_known(void)
{
    length = 90, f14();
    return many(length);
}

static APART unsigned of_rows(const unsigned *row, unsigned n) { return row[n & 7] + other; }

unsigned stays_read(void)
{
    unsigned own[8] = { 1, 2, 3, 4, 5, 6, 7, 8 }, sum = 0;
    f14();
    for (unsigned i = 0; i < 90; i++) sum += of_rows(own, i) ^ of_rows(rows, i);
    return sum;
}
