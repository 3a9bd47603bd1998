/* Hamming's code of 12 bits for 8 bits: single errors of 16 words are repaired. */
unsigned short words[16];
unsigned char repaired[16];

int prepare(int input)
{
    for (int i = 0; i < 16; i++) words[i] = (unsigned short)(input == 0 ? 1 << i % 12 : i * 259 & 0xfff);
    return input < 2;
}

static int parity(unsigned bits)
{
    bits ^= bits >> 8;
    bits ^= bits >> 4;
    bits ^= bits >> 2;
    return (bits ^ bits >> 1) & 1;
}

void run(void)
{
    static const unsigned masks[4] = {0x555, 0x666, 0x878, 0xf80};
    for (int i = 0; i < 16; i++) {
        unsigned word = words[i];
        int error = 0;
        for (int k = 0; k < 4; k++) error |= parity(word & masks[k]) << k;
        if (error > 0 && error <= 12) word ^= 1u << (error - 1);
        repaired[i] = (unsigned char)((word >> 2 & 1) | (word >> 3 & 0xe) | (word >> 4 & 0xf0));
    }
}
