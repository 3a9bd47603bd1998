/* The ready queue of 32 priorities as a bit map; the highest of eight rounds is found by halving. */
unsigned ready;
int counts[32];
int chosen;

int prepare(int input)
{
    for (int i = 0; i < 32; i++) counts[i] = input == 0 ? 1 : 2;
    ready = input == 0 ? 0xffffffffu : input == 1 ? 0x80000001u : 1;
    return input < 3;
}

static int highest(unsigned bits)
{
    int place = 0;
    for (int half = 16; half; half >>= 1)
        if (bits >> half) {
            bits >>= half;
            place += half;
        }
    return place;
}

void run(void)
{
    for (int i = 0; i < 8 && ready; i++) {
        int priority = highest(ready);
        if (--counts[priority & 31] == 0) ready &= ~(1u << (priority & 31));
        chosen = priority;
    }
}
