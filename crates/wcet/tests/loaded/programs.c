/* Functions whose loops end where variables say, as the file has them: what is stored on the way
 * must be seen, whatever the way. `same_` functions take the same path for every argument. */

static volatile int nothing;

#define WORK(n) for (int work = (n); work > 0; work--) nothing = work

struct node {
    struct node *next;
    int rounds;
};
struct node third = { 0, 9 };
struct node second = { &third, 2 };
struct node first = { &second, 5 };
int ends[] = { 3, 1, 7, 4 };
int limit = 6;
int started;
int here[8] = { 1, 2, 3, 4, 5, 6, 7, 8 };
int wide[1024] = { 4, 8, 2, 6, 3, 9 };
int length = 4000, place;
short pairs[4] = { 5, 3, 2, 8 };
long long longs[3] = { 2, 11, 5 };
unsigned char codes[300] = { 7, 1, 255, 3 };
unsigned long quarter = 1ul << 30;

void same_table(int x)
{
    for (unsigned i = 0; i < sizeof ends / sizeof *ends; i++)
        WORK(ends[i]);
}

void same_list(int x)
{
    for (struct node *node = &first; node; node = node->next)
        WORK(node->rounds);
}

/* A file of which 16 numbers are read at a time: the loop's only branch finds 16 each time. */
static int __attribute__((noinline)) part(int *to)
{
    int n = length - place < 16 ? length - place : 16;
    for (int i = 0; i < n; i++)
        to[i] = wide[(place + i) & 1023];
    place += n;
    return n;
}

void same_read_in_parts(int x)
{
    int numbers[16];
    while (part(numbers) == 16)
        nothing = numbers[x & 15];
}

void same_first_time(int x)
{
    if (!started) {
        started = 1;
        limit = 12;
    }
    WORK(limit);
    if (started)
        WORK(3);
}

void same_parts(int x)
{
    ((unsigned char *)&limit)[1] = 1;
    WORK(limit);
    ((unsigned char *)ends)[4] = 20;
    WORK(ends[1] + pairs[3] + (int)longs[1] + codes[2]);
    pairs[2] = 9;
    WORK(pairs[2] + pairs[3]);
}

void same_neighbours(int x)
{
    codes[64] = 1;
    codes[127] = 2;
    for (int i = 60; i < 132; i++)
        WORK(codes[i] + 1);
}

/* As a cipher or a codec goes on: a table is changed while it is read. */
void same_mixed(int x)
{
    unsigned at = 1;
    for (int i = 0; i < 1500; i++) {
        at = (at * 5 + codes[at % 300] + 1) % 300;
        codes[at] = (unsigned char)(codes[at] + i);
    }
    WORK(codes[3] + 1);
}

char text[] = "as long as it is";

void same_text(int x)
{
    int at = 0;
    while (text[at])
        at++;
    WORK(at);
}

void some_of_few(int x)
{
    here[x & 7] = 30;
    WORK(here[2]);
    WORK(here[5]);
}

void some_of_many(int x)
{
    wide[x & 1023] = 70;
    WORK(wide[5]);
    WORK(wide[900]);
}

void some_far_apart(int x)
{
    wide[(x & 3) << 8] = 40;
    WORK(wide[256]);
    WORK(wide[1]);
}

void some_on_one_way(int x)
{
    if (x & 1)
        limit = 50;
    if (!(x & 2))
        ends[2] = 60;
    WORK(limit);
    WORK(ends[2]);
}

void some_anywhere(long x)
{
    *(int *)(x & ~3L) = 1000;
    WORK(limit);
    WORK(here[4]);
}

void some_until(int x)
{
    for (int i = 0; i < (x & 15); i++) {
        limit += 2;
        here[i & 7] += limit;
    }
    WORK(limit);
    WORK(here[6]);
}

void some_filled(int x)
{
    for (int i = 0; i < (x & 127); i++)
        wide[i] = 25;
    WORK(wide[100]);
    WORK(wide[200] + wide[1]);
}

static void __attribute__((noinline)) grow(int by)
{
    limit += by;
}

void some_called(int x)
{
    for (int i = 0; i < 40; i++)
        if (x >> (i & 7) & 1)
            grow(i & 3);
    WORK(limit);
}

/* Four quarters are a whole turn where addresses have 32 bits. */
void some_turn(int x)
{
    int mine = x;
    unsigned long at = (unsigned long)&mine;
    for (int i = 0; i < 4; i++)
        at += quarter;
    WORK(at == (unsigned long)&mine ? 20 : 2);
}

/* Of bytes some bits are known, and one of the others decides. */
static unsigned char *volatile kept;

void some_bits(int x)
{
    unsigned char mine[4];
    kept = mine;
    kept[0] = x & 15;
    kept[1] = kept[0] << 2 | 1;
    kept[2] = kept[1] >> 1;
    if (kept[2] < 32)
        WORK(kept[2] & 2 ? 20 : 2);
}
