/* A fast Fourier transform of 32 points in fixed point. */
static const short sine[32] = {
    0,      6393,   12539,  18204,  23170,  27245,  30273,  32137,  32767, 32137, 30273, 27245, 23170, 18204, 12539, 6393,
    0,      -6393,  -12539, -18204, -23170, -27245, -30273, -32137, -32767, -32137, -30273, -27245, -23170, -18204, -12539, -6393,
};
int real[32], imaginary[32];

int prepare(int input)
{
    for (int i = 0; i < 32; i++) {
        real[i] = (i * 37 * (input + 1) & 255) << 6;
        imaginary[i] = 0;
    }
    return input < 2;
}

static void reorder(void)
{
    int to = 0;
    for (int from = 1; from < 32; from++) {
        int bit = 16;
        while (to & bit) {
            to ^= bit;
            bit >>= 1;
        }
        to |= bit;
        if (from < to) {
            int kept = real[from];
            real[from] = real[to];
            real[to] = kept;
        }
    }
}

void run(void)
{
    reorder();
    for (int half = 1; half < 32; half *= 2) {
        int turn = 16 / half;
        for (int k = 0; k < half; k++) {
            int c = sine[(k * turn + 8) & 31], s = -sine[k * turn];
            for (int i = k; i < 32; i += 2 * half) {
                int j = i + half;
                int re = (real[j] * c - imaginary[j] * s) >> 15;
                int im = (real[j] * s + imaginary[j] * c) >> 15;
                real[j] = real[i] - re;
                imaginary[j] = imaginary[i] - im;
                real[i] += re;
                imaginary[i] += im;
            }
        }
    }
}
