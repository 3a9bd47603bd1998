/* Code in the forms that compilers give it; each function takes longest with the first values of
 * the variables. */
#define APART __attribute__((noinline))

typedef unsigned char byte;

int numbers[64] = {1, 2, 3};
byte bytes[256] = {4, 5, 6};

/* Nothing is known of these where a function begins. */
int *where = numbers;
byte *from = bytes;
byte many = 31;
byte length = 255;

/* From a pointer to an end pointer. */
APART int pointer_words(void)
{
    int sum = 0;
    for (int *at = where, *end = at + (many & 31); at != end; at++)
        sum += *at;
    return sum;
}

APART int pointer_bytes(void)
{
    int sum = 0;
    for (byte *at = from, *end = at + length; at != end;)
        sum ^= *at++;
    return sum;
}

APART int pointer_halves(int argument)
{
    int sum = 0;
    const short *at = (const short *)(void *)from;
    for (const short *end = at + (argument & 15); at != end; at++)
        sum += *at;
    return sum;
}

APART void pointer_copy(void)
{
    int *to = where;
    for (byte *at = from, *end = at + (many & 15); at != end; at++)
        *to++ = *at;
}

#define ONE(n) (n) * 0x9e3779b1u ^ (n) << 7
#define FOUR(n) ONE(n), ONE(n + 1u), ONE(n + 2u), ONE(n + 3u)
#define ALL(n) FOUR(n), FOUR(n + 4u), FOUR(n + 8u), FOUR(n + 12u)
#define MANY(n) ALL(n), ALL(n + 16u), ALL(n + 32u), ALL(n + 48u)
static const unsigned table[256] = {MANY(0u), MANY(64u), MANY(128u), MANY(192u)};
#define BYTES(n) (byte)((n) * 37u), (byte)((n) * 37u + 37u), (byte)((n) * 37u + 74u), (byte)((n) * 37u + 111u)
static const byte box[64] = {
    BYTES(0u), BYTES(4u), BYTES(8u), BYTES(12u), BYTES(16u), BYTES(20u), BYTES(24u), BYTES(28u),
    BYTES(32u), BYTES(36u), BYTES(40u), BYTES(44u), BYTES(48u), BYTES(52u), BYTES(56u), BYTES(60u)};

/* A sum by a table, without a branch: each step looks up what the one before it has found. */
#define STEP sum = table[(sum ^ *at++) & 255] ^ sum >> 8;
APART unsigned straight_sum(void)
{
    unsigned sum = ~0u;
    const byte *at = from;
    STEP STEP STEP STEP STEP STEP STEP STEP
    return ~sum;
}

APART int straight_box(int argument)
{
    for (int i = 0; i < 8; i++)
        argument = box[(argument ^ i) & 63];
    return box[box[box[argument & 63] & 63] & 63];
}

/* How long the loop is comes out of a table. */
static const byte rounds[16] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 12};
APART int straight_rounds(int argument)
{
    int sum = 0;
    int last = rounds[argument & 15];
    for (int i = 0; i < last; i++)
        sum += numbers[i];
    return sum;
}

/* Arrays as long as an argument says. */
APART int sized_array(unsigned argument)
{
    argument &= 15;
    int own[argument + 1], sum = 0;
    for (unsigned i = 0; i <= argument; i++)
        own[i] = many;
    for (unsigned i = 0; i <= argument; i++)
        sum += own[i];
    return sum;
}

APART int sized_bytes(unsigned argument)
{
    argument = 1 + (argument & 7);
    byte own[argument], sum = 0;
    for (unsigned i = 0; i < argument; i++)
        own[i] = (byte)(many + i);
    for (unsigned i = argument; i-- > 0;)
        sum ^= own[i];
    return sum;
}

APART int sized_asked(unsigned argument)
{
    argument = (argument & 7) + 1;
    int *own = __builtin_alloca(argument * sizeof *own), sum = 0;
    for (unsigned i = 0; i < argument; i++)
        own[i] = numbers[i];
    for (unsigned i = 0; i < argument; i++)
        sum -= own[i];
    return sum;
}

void measure_all(void)
{
}
