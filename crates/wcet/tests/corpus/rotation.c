/* Sine and cosine by sixteen rotations of halving angles. */
static const int angles[16] = {25736, 15193, 8027, 4075, 2045, 1024, 512, 256, 128, 64, 32, 16, 8, 4, 2, 1};
int angle, cosine, sine;

int prepare(int input)
{
    angle = (input - 4) * 12000;
    return input < 9;
}

void run(void)
{
    int x = 19898, y = 0, z = angle;
    for (int i = 0; i < 16; i++) {
        int dx = y >> i, dy = x >> i;
        if (z >= 0) {
            x -= dx;
            y += dy;
            z -= angles[i];
        } else {
            x += dx;
            y -= dy;
            z += angles[i];
        }
    }
    cosine = x;
    sine = y;
}
