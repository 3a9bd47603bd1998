/* An 8 x 8 discrete cosine transform in fixed point, rows then columns. */
int block[64];

int prepare(int input)
{
    for (int i = 0; i < 64; i++) block[i] = (i * 7 + input) & 255;
    return input < 2;
}

static __attribute__((noinline)) void transform(int *p, int step)
{
    int s[8];
    for (int i = 0; i < 4; i++) {
        s[i] = p[i * step] + p[(7 - i) * step];
        s[4 + i] = p[i * step] - p[(7 - i) * step];
    }
    int t0 = s[0] + s[3], t1 = s[1] + s[2], t2 = s[1] - s[2], t3 = s[0] - s[3];
    p[0] = t0 + t1;
    p[4 * step] = t0 - t1;
    p[2 * step] = (t3 * 473 + t2 * 196) >> 9;
    p[6 * step] = (t3 * 196 - t2 * 473) >> 9;
    p[1 * step] = (s[4] * 502 + s[5] * 426 + s[6] * 284 + s[7] * 100) >> 9;
    p[3 * step] = (s[4] * 426 - s[5] * 100 - s[6] * 502 - s[7] * 284) >> 9;
    p[5 * step] = (s[4] * 284 - s[5] * 502 + s[6] * 100 + s[7] * 426) >> 9;
    p[7 * step] = (s[4] * 100 - s[5] * 284 + s[6] * 426 - s[7] * 502) >> 9;
}

void run(void)
{
    for (int i = 0; i < 8; i++) transform(block + 8 * i, 1);
    for (int i = 0; i < 8; i++) transform(block + i, 8);
}
