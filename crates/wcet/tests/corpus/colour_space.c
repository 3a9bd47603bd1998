/* 64 points from red, green and blue to luminance and two chrominances. */
unsigned char colours[64][3], converted[64][3];

int prepare(int input)
{
    for (int i = 0; i < 64; i++)
        for (int c = 0; c < 3; c++) colours[i][c] = (unsigned char)(input ? 255 * (i >> c & 1) : i * 4 + c);
    return input < 2;
}

static int limited(int value) { return value < 0 ? 0 : value > 255 ? 255 : value; }

void run(void)
{
    for (int i = 0; i < 64; i++) {
        int r = colours[i][0], g = colours[i][1], b = colours[i][2];
        converted[i][0] = (unsigned char)limited((77 * r + 150 * g + 29 * b) >> 8);
        converted[i][1] = (unsigned char)limited(((-43 * r - 85 * g + 128 * b) >> 8) + 128);
        converted[i][2] = (unsigned char)limited(((128 * r - 107 * g - 21 * b) >> 8) + 128);
    }
}
