/* One path of more than a million instructions, with all that is not a plain number on its way:
 * addresses in the stack that are kept in memory, compared, subtracted and handed on, parts of
 * words and of addresses, computed jumps and calls, a function that calls itself. */

enum { WORDS = 64 };

static volatile unsigned sink;
static unsigned seed = 17;
static short halves[WORDS];
static signed char bytes[4 * WORDS];
static unsigned words[WORDS] = { 3, 1, 4, 1, 5, 9, 2, 6 };

struct item {
    struct item *next;
    int *place;
    int number;
};

static unsigned __attribute__((noinline)) drawn(void)
{
    seed = seed * 1664525u + 1013904223u;
    return seed >> 8;
}

static unsigned twice(unsigned n) { return n << 1; }
static unsigned half(unsigned n) { return n >> 1; }
static unsigned turned(unsigned n) { return n << 13 | n >> 19; }
static unsigned (*const ways[])(unsigned) = { twice, half, turned };

static unsigned __attribute__((noinline)) chosen(unsigned kind, unsigned n)
{
    switch (kind % 7) {
    case 0: return n + 5;
    case 1: return n - 7;
    case 2: return n ^ 0x55;
    case 3: return n * 11;
    case 4: return (unsigned)((int)n >> 3);
    case 5: return n & 0xff00ff;
    default: return n | 0x1000;
    }
}

static int __attribute__((noinline)) deep(int n, int *from)
{
    int here = n ^ *from;
    return n == 0 ? here : here + deep(n - 1, &here);
}

/* A list in the stack, whose addresses are in the stack and in a variable as well. */
static struct item *head;

static void __attribute__((noinline)) swapped(char *one, char *other, unsigned bytes)
{
    do {
        char kept = *one;
        *one++ = *other;
        *other++ = kept;
    } while (--bytes);
}

static int __attribute__((noinline)) listed(int n)
{
    int *kept[4];
    int places[8];
    struct item items[8];
    head = 0;
    for (int i = 0; i < 8; i++) {
        places[i] = n + i;
        items[i].place = &places[(i * 3) & 7];
        items[i].number = i - n;
        items[i].next = head;
        head = &items[i];
    }
    int sum = 0;
    for (struct item *item = head; item; item = item->next)
        sum += *item->place * item->number + (int)(item - items);
    for (int i = 0; i < 4; i++)
        kept[i] = &places[2 * i];
    for (int i = 0; i < 4; i++)
        swapped((char *)&kept[i], (char *)&kept[(n + i) & 3], sizeof kept[i]);
    for (int i = 0; i < 4; i++)
        if (*kept[i] & (1 << i))
            sum += kept[i] > kept[0] ? *kept[i] : 7;
    for (int *place = places; place != places + 8; place++)
        sum ^= *place;
    return sum & 15;
}

/* Words of which some bytes were stored, copied and taken apart again; bits that nobody knows beside
 * others that decide. */
struct parts {
    unsigned char bytes[8];
    unsigned number;
};
static struct parts *volatile one, *volatile other;

static int __attribute__((noinline)) partly(int n)
{
    struct parts here, there;
    int sum = 0;
    one = &here;
    other = &there;
    one->bytes[0] = (unsigned char)n;
    one->bytes[5] = (unsigned char)(3 * n);
    one->number = n & 7;
    volatile unsigned *from = (volatile unsigned *)one, *to = (volatile unsigned *)other;
    for (unsigned i = 0; i < sizeof here / sizeof *to; i++)
        to[i] = from[i];
    other->bytes[2] = (unsigned char)(other->bytes[1] << 1 | 0x41);
    for (unsigned i = 0; i < other->number; i++)
        sum += other->bytes[0] * 3 ^ (int)i;
    if (other->bytes[2] == 0x30)
        sum = 1000;
    if ((other->bytes[3] | 0xf0) > other->bytes[0])
        sum ^= other->bytes[5];
    return sum & 31;
}

static void __attribute__((noinline)) sorted(unsigned *all, int n)
{
    for (int i = 1; i < n; i++) {
        unsigned one = all[i];
        int j = i;
        for (; j > 0 && all[j - 1] > one; j--)
            all[j] = all[j - 1];
        all[j] = one;
    }
}

int __attribute__((noinline)) main(void)
{
    long long wide = 1;
    for (int round = 0; round < 80; round++) {
        for (int i = 0; i < WORDS; i++) {
            unsigned n = ways[drawn() % 3](words[i] + drawn() % 1000);
            words[i] = chosen(n, n) % 5000;
            halves[i] = (short)(words[i] * 37);
            bytes[4 * i + (round & 3)] = (signed char)halves[i];
            ((unsigned char *)words)[4 * i + 1] ^= (unsigned char)bytes[i];
            wide = wide * 3 + halves[i] - (wide >> 7);
        }
        sorted(words, WORDS);
        int begin = listed(round);
        if (deep(begin, &begin) > 100)
            sink = words[begin];
        for (int i = (int)(wide & 31) + partly(round); i > 0; i--)
            sink = (unsigned)wide;
        if (bytes[begin] < 0 && halves[begin] % 3 == 0)
            sink = seed;
    }
    return (int)sink;
}

void measure_all(void)
{
    main();
}
