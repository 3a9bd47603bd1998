/* A JPEG block is quantised in zigzag order, and its runs of zeros are counted. */
static const unsigned char order[64] = {
    0,  1,  8,  16, 9,  2,  3,  10, 17, 24, 32, 25, 18, 11, 4,  5,  12, 19, 26, 33, 40, 48, 41, 34, 27, 20, 13, 6,  7,  14, 21, 28,
    35, 42, 49, 56, 57, 50, 43, 36, 29, 22, 15, 23, 30, 37, 44, 51, 58, 59, 52, 45, 38, 31, 39, 46, 53, 60, 61, 54, 47, 55, 62, 63,
};
short block[64];
short levels[64];
unsigned char runs[64];
int used;

int prepare(int input)
{
    for (int i = 0; i < 64; i++) block[i] = (short)(input == 0 ? 900 - i : input == 1 ? -900 : i & 1 ? 500 : 0);
    return input < 3;
}

void run(void)
{
    int zeros = 0, out = 0;
    for (int i = 0; i < 64; i++) {
        int value = block[order[i]], step = 8 + i;
        int level = value < 0 ? -((-value + step / 2) / step) : (value + step / 2) / step;
        if (level == 0) {
            zeros++;
            continue;
        }
        runs[out & 63] = (unsigned char)zeros;
        levels[out++ & 63] = (short)level;
        zeros = 0;
    }
    used = out;
}
