/* Sliding-window decompression: literal bytes, and copies from up to 15 bytes back. */
unsigned char packed[24], plain[64];
unsigned size;

int prepare(int input)
{
    for (int i = 0; i < 24; i++)
        packed[i] = (unsigned char)(input == 0 ? (i % 3 == 0 ? 0x00 : i) : input == 1 ? (i == 0 ? 0 : i & 1 ? i : 0x91) : 0xf1);
    return input < 3;
}

void run(void)
{
    unsigned in = 0, out = 0;
    while (in + 1 < 24 && out < 64) {
        unsigned control = packed[in++];
        unsigned length = control >> 4, back = control & 15;
        if (length == 0 || back > out) {
            plain[out++] = packed[in++];
            continue;
        }
        for (; length > 0 && out < 64; length--) {
            plain[out] = plain[out - back];
            out++;
        }
    }
    size = out;
}
