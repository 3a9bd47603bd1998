/* A finite impulse response filter of 16 coefficients over 64 samples. */
short samples[80];
static const short coefficients[16] = {1, -3, 7, -12, 20, -33, 58, 120, 120, 58, -33, 20, -12, 7, -3, 1};
int filtered[64];

int prepare(int input)
{
    for (int i = 0; i < 80; i++) samples[i] = (short)(i * 31 * (input + 1));
    return input < 2;
}

void run(void)
{
    for (int i = 0; i < 64; i++) {
        int sum = 0;
        for (int k = 0; k < 16; k++) sum += samples[i + k] * coefficients[k];
        filtered[i] = sum >> 8;
    }
}
