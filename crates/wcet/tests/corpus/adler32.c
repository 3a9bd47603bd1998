/* The Adler checksum of 100 bytes; sums are reduced by division at the end of blocks of 50. */
unsigned char bytes[100];
unsigned checksum;

int prepare(int input)
{
    for (int i = 0; i < 100; i++) bytes[i] = (unsigned char)(input ? 255 : i);
    return input < 2;
}

void run(void)
{
    unsigned a = 1, b = 0, left = 100;
    const unsigned char *at = bytes;
    while (left > 0) {
        unsigned block = left < 50 ? left : 50;
        left -= block;
        while (block--) {
            a += *at++;
            b += a;
        }
        a %= 65521;
        b %= 65521;
    }
    checksum = b << 16 | a;
}
