/* Three recursive filters of second order over 32 samples, in fixed point. */
static const int coefficients[3][5] = {{410, 820, 410, -6200, 2600}, {512, -1024, 512, -7000, 3100}, {300, 0, -300, -6800, 3500}};
int samples[32];
int state[3][2];

int prepare(int input)
{
    for (int i = 0; i < 32; i++) samples[i] = input ? i * 50 : i & 1 ? 2000 : -2000;
    return input < 2;
}

void run(void)
{
    for (int i = 0; i < 32; i++) {
        int x = samples[i];
        for (int k = 0; k < 3; k++) {
            const int *c = coefficients[k];
            int y = ((c[0] * x) >> 12) + state[k][0];
            if (y > 32767) y = 32767;
            if (y < -32768) y = -32768;
            state[k][0] = ((c[1] * x - c[3] * y) >> 12) + state[k][1];
            state[k][1] = (c[2] * x - c[4] * y) >> 12;
            x = y;
        }
        samples[i] = x;
    }
}
