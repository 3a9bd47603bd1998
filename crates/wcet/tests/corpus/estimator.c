/* A filter of two states, as for height and speed, over 20 measurements in fixed point. */
int measurements[20];
int height, speed;

int prepare(int input)
{
    for (int i = 0; i < 20; i++) measurements[i] = input ? i * i * 16 : 8000 - i * 300;
    height = speed = 0;
    return input < 2;
}

void run(void)
{
    int p00 = 1 << 14, p01 = 0, p11 = 1 << 14;
    for (int i = 0; i < 20; i++) {
        height += speed;
        p00 += 2 * p01 + p11 + 16;
        p01 += p11;
        p11 += 4;
        int sum = (p00 + 1024) >> 6;
        if (sum < 1) sum = 1;
        int k0 = (p00 << 6) / sum, k1 = (p01 << 6) / sum;
        int error = measurements[i] - height;
        height += (k0 * (error >> 2)) >> 10;
        speed += (k1 * (error >> 2)) >> 10;
        p11 -= (k1 * (p01 >> 4)) >> 8;
        p01 -= (k0 * (p01 >> 4)) >> 8;
        p00 -= (k0 * (p00 >> 4)) >> 8;
        if (p00 > 1 << 16) p00 = 1 << 16;
        if (p00 < 0) p00 = 0;
    }
}
