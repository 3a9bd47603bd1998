/* Bytes are moved within an array, from the end where the places overlap. */
/* fact: move 32 */
unsigned char memory[96];
unsigned from, to, length;

int prepare(int input)
{
    from = (unsigned)input * 8;
    to = 16;
    length = input == 3 ? 20 : 32;
    return input < 4;
}

static __attribute__((noinline)) void move(unsigned char *t, const unsigned char *f, unsigned n)
{
    if (t < f)
        for (unsigned i = 0; i < n; i++) t[i] = f[i];
    else
        while (n--) t[n] = f[n];
}

void run(void)
{
    unsigned n = length > 32 ? 32 : length;
    move(memory + (to & 31), memory + (from & 31), n);
    move(memory + 40, memory + 8, 24);
}
