/* A free list of indices: six are taken, six are given back. */
unsigned char next[16];
unsigned char first;
unsigned char taken[6];

int prepare(int input)
{
    for (int i = 0; i < 16; i++) next[i] = (unsigned char)(input == 0 ? i + 1 : i == 2 ? 255 : i + 1);
    first = 0;
    return input < 2;
}

static __attribute__((noinline)) int take(void)
{
    if (first >= 16) return -1;
    int at = first;
    first = next[at];
    return at;
}

static __attribute__((noinline)) void give(int at)
{
    next[at & 15] = first;
    first = (unsigned char)at;
}

void run(void)
{
    int count = 0;
    for (int i = 0; i < 6; i++) {
        int at = take();
        if (at < 0) break;
        taken[count++] = (unsigned char)at;
    }
    while (count > 0) give(taken[--count]);
}
