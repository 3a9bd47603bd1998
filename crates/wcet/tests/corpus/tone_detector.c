/* Goertzel's filter for two tones over 50 samples. */
short samples[50];
int power[2];

int prepare(int input)
{
    for (int i = 0; i < 50; i++) samples[i] = (short)((i * (input + 5) & 31) * 64 - 1024);
    return input < 2;
}

void run(void)
{
    static const int coefficients[2] = {27980, 21890};
    for (int tone = 0; tone < 2; tone++) {
        int last = 0, before = 0;
        for (int i = 0; i < 50; i++) {
            int now = samples[i] + ((coefficients[tone] * (last >> 4)) >> 10) - before;
            before = last;
            last = now;
        }
        power[tone] = (last >> 8) * (last >> 8) + (before >> 8) * (before >> 8);
    }
}
