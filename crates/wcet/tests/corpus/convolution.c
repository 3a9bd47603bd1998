/* A picture of 12 x 12 points is sharpened by a kernel of 3 x 3. */
unsigned char picture[12][12], sharpened[12][12];
static const signed char kernel[3][3] = {{0, -1, 0}, {-1, 5, -1}, {0, -1, 0}};

int prepare(int input)
{
    for (int y = 0; y < 12; y++)
        for (int x = 0; x < 12; x++) picture[y][x] = (unsigned char)(input ? (x ^ y) & 1 ? 255 : 0 : x * y);
    return input < 2;
}

void run(void)
{
    for (int y = 1; y < 11; y++)
        for (int x = 1; x < 11; x++) {
            int sum = 0;
            for (int dy = 0; dy < 3; dy++)
                for (int dx = 0; dx < 3; dx++) sum += kernel[dy][dx] * picture[y + dy - 1][x + dx - 1];
            sharpened[y][x] = (unsigned char)(sum < 0 ? 0 : sum > 255 ? 255 : sum);
        }
}
