/* A set point follows its aim by at most 10 each step, for six axes and eight steps. */
int aims[6], points[6];
int arrived;

int prepare(int input)
{
    for (int i = 0; i < 6; i++) {
        aims[i] = input == 0 ? 1000 : input == 1 ? -1000 : i;
        points[i] = 0;
    }
    return input < 3;
}

void run(void)
{
    for (int step = 0; step < 8; step++)
        for (int i = 0; i < 6; i++) {
            int difference = aims[i] - points[i];
            if (difference > 10) difference = 10;
            if (difference < -10) difference = -10;
            points[i] += difference;
            if (difference == 0) arrived |= 1 << i;
        }
}
