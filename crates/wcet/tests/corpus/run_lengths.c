/* Runs of equal bytes are written as pairs, and read back. */
unsigned char plain[48], packed[96], again[48];
unsigned size;

int prepare(int input)
{
    for (int i = 0; i < 48; i++) plain[i] = (unsigned char)(input == 0 ? i : input == 1 ? 7 : i / 5);
    return input < 3;
}

static unsigned pack(void)
{
    unsigned out = 0, i = 0;
    while (i < 48) {
        unsigned char byte = plain[i];
        unsigned count = 1;
        while (i + count < 48 && plain[i + count] == byte) count++;
        packed[out++ % 96] = (unsigned char)count;
        packed[out++ % 96] = byte;
        i += count;
    }
    return out;
}

static void unpack(unsigned length)
{
    unsigned out = 0;
    for (unsigned i = 0; i < length && i < 96; i += 2)
        for (unsigned k = packed[i]; k > 0 && out < 48; k--) again[out++] = packed[i + 1];
}

void run(void)
{
    size = pack();
    unpack(size);
}
