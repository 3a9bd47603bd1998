/* Radix sort of 16-bit numbers, four bits at a time. */
unsigned short keys[32], spare[32];

int prepare(int input)
{
    for (int i = 0; i < 32; i++) keys[i] = (unsigned short)((i + 1) * 40503u * (unsigned)(input + 1));
    return input < 2;
}

static void pass(const unsigned short *from, unsigned short *to, int shift)
{
    unsigned places[16];
    for (int i = 0; i < 16; i++) places[i] = 0;
    for (int i = 0; i < 32; i++) places[from[i] >> shift & 15]++;
    unsigned sum = 0;
    for (int i = 0; i < 16; i++) {
        unsigned here = places[i];
        places[i] = sum;
        sum += here;
    }
    for (int i = 0; i < 32; i++) to[places[from[i] >> shift & 15]++ & 31] = from[i];
}

void run(void)
{
    for (int shift = 0; shift < 16; shift += 8) {
        pass(keys, spare, shift);
        pass(spare, keys, shift + 4);
    }
}
