/* 32 rounds of a small block cipher of additions, shifts and exclusive ors. */
unsigned block[2], key[4];

int prepare(int input)
{
    block[0] = 0x01234567u * (unsigned)(input + 1);
    block[1] = 0x89abcdefu;
    for (int i = 0; i < 4; i++) key[i] = (unsigned)i * 0x11111111u;
    return input < 1;
}

void run(void)
{
    unsigned a = block[0], b = block[1], sum = 0;
    for (int i = 0; i < 32; i++) {
        a += ((b << 4 ^ b >> 5) + b) ^ (sum + key[sum & 3]);
        sum += 0x9e3779b9u;
        b += ((a << 4 ^ a >> 5) + a) ^ (sum + key[sum >> 11 & 3]);
    }
    block[0] = a;
    block[1] = b;
}
