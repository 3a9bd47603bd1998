/* 30 bytes to base 64 and back. */
static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
unsigned char bytes[30], again[30];
char encoded[40];

int prepare(int input)
{
    for (int i = 0; i < 30; i++) bytes[i] = (unsigned char)(input == 0 ? 255 : i * 9);
    return input < 2;
}

static int value(char c)
{
    if (c >= 'A' && c <= 'Z') return c - 'A';
    if (c >= 'a' && c <= 'z') return c - 'a' + 26;
    if (c >= '0' && c <= '9') return c - '0' + 52;
    return c == '+' ? 62 : 63;
}

void run(void)
{
    char *out = encoded;
    for (int i = 0; i < 30; i += 3) {
        unsigned group = (unsigned)bytes[i] << 16 | (unsigned)bytes[i + 1] << 8 | bytes[i + 2];
        for (int shift = 18; shift >= 0; shift -= 6) *out++ = digits[group >> shift & 63];
    }
    unsigned char *back = again;
    for (int i = 0; i < 40; i += 4) {
        unsigned group = 0;
        for (int k = 0; k < 4; k++) group = group << 6 | (unsigned)value(encoded[i + k]);
        *back++ = (unsigned char)(group >> 16);
        *back++ = (unsigned char)(group >> 8);
        *back++ = (unsigned char)group;
    }
}
