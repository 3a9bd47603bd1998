/* The median of nine pixels of every inner point of a 12 x 12 picture. */
unsigned char picture[12][12], result[12][12];

int prepare(int input)
{
    for (int y = 0; y < 12; y++)
        for (int x = 0; x < 12; x++) picture[y][x] = (unsigned char)(input ? x * y * 13 : 255 - x - 12 * y);
    return input < 2;
}

void run(void)
{
    for (int y = 1; y < 11; y++)
        for (int x = 1; x < 11; x++) {
            unsigned char window[9];
            int n = 0;
            for (int dy = -1; dy <= 1; dy++)
                for (int dx = -1; dx <= 1; dx++) window[n++] = picture[y + dy][x + dx];
            for (int i = 0; i < 5; i++)
                for (int j = i + 1; j < 9; j++)
                    if (window[j] < window[i]) {
                        unsigned char kept = window[i];
                        window[i] = window[j];
                        window[j] = kept;
                    }
            result[y][x] = window[4];
        }
}
