/* Structures that are copied or cleared; one of their fields says how long a loop is. */
#define APART __attribute__((noinline))
#define STORED __asm__ volatile("" ::: "memory")

typedef unsigned char byte;

struct __attribute__((aligned(16))) box {
    int before;
    byte many;
    byte rest[43];
};
static const struct box model = {7, 9, {1, 2, 3}};
struct box copied = {1, 200, {0}}, cleared = {1, 200, {0}};

APART int vector_copy(void)
{
    copied = model;
    STORED;
    int sum = 0;
    for (int i = 0; i < copied.many; i++)
        sum += copied.rest[i];
    return sum;
}

APART int vector_clear(void)
{
    __builtin_memset(&cleared, 0, sizeof cleared);
    STORED;
    int sum = 3;
    for (int i = 0; i < cleared.many + 5; i++)
        sum ^= sum << 1;
    return sum;
}

APART int vector_twice(void)
{
    struct box own[2];
    own[0] = model;
    own[1] = own[0];
    __asm__ volatile("" ::"r"(own) : "memory");
    int sum = 0;
    for (int i = 0; i < own[1].many; i++)
        sum += own[0].rest[i];
    return sum;
}

void measure_all(void)
{
}
