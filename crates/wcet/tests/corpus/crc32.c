/* CRC-32 of 64 bytes, bit by bit. */
unsigned char bytes[64];
unsigned result;

int prepare(int input)
{
    for (int i = 0; i < 64; i++) bytes[i] = (unsigned char)(i * input);
    return input < 3;
}

void run(void)
{
    unsigned r = ~0u;
    for (int i = 0; i < 64; i++) {
        r ^= bytes[i];
        for (int k = 0; k < 8; k++)
            if (r & 1)
                r = (r >> 1) ^ 0xEDB88320u;
            else
                r >>= 1;
    }
    result = ~r;
}
