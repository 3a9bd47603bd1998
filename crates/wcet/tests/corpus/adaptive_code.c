/* 32 samples to four bits each by adaptive differences, with a table of steps. */
static const short steps[16] = {7, 10, 14, 19, 26, 36, 50, 69, 96, 133, 184, 254, 351, 486, 673, 931};
static const signed char changes[8] = {-1, -1, -1, -1, 2, 3, 4, 5};
short samples[32];
unsigned char codes[32];

int prepare(int input)
{
    for (int i = 0; i < 32; i++) samples[i] = (short)(input == 0 ? (i & 1 ? 3000 : -3000) : i * 20);
    return input < 2;
}

void run(void)
{
    int guess = 0, index = 0;
    for (int i = 0; i < 32; i++) {
        int step = steps[index], difference = samples[i] - guess, code = 0;
        if (difference < 0) {
            code = 8;
            difference = -difference;
        }
        int sum = step >> 3;
        for (int bit = 4; bit; bit >>= 1) {
            if (difference >= step) {
                code |= bit;
                difference -= step;
                sum += step;
            }
            step >>= 1;
        }
        guess += code & 8 ? -sum : sum;
        index += changes[code & 7];
        if (index < 0) index = 0;
        if (index > 15) index = 15;
        codes[i] = (unsigned char)code;
    }
}
