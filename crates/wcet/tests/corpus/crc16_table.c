/* CRC-16 of 64 bytes, by half bytes through a read-only table. */
static const unsigned short table[16] = {
    0x0000, 0x1021, 0x2042, 0x3063, 0x4084, 0x50a5, 0x60c6, 0x70e7,
    0x8108, 0x9129, 0xa14a, 0xb16b, 0xc18c, 0xd1ad, 0xe1ce, 0xf1ef,
};
unsigned char bytes[64];
unsigned result;

int prepare(int input)
{
    for (int i = 0; i < 64; i++) bytes[i] = (unsigned char)(i * 5 + input);
    return input < 2;
}

void run(void)
{
    unsigned crc = 0xffff;
    for (int i = 0; i < 64; i++) {
        crc = (crc << 4 ^ table[(crc >> 12 ^ bytes[i] >> 4) & 15]) & 0xffff;
        crc = (crc << 4 ^ table[(crc >> 12 ^ bytes[i]) & 15]) & 0xffff;
    }
    result = crc;
}
