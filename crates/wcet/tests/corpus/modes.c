/* Two parts that exclude each other: only one of a long filter and a long search runs. */
int mode;
int data[32], out;

int prepare(int input)
{
    mode = input;
    for (int i = 0; i < 32; i++) data[i] = i;
    return input < 3;
}

static __attribute__((noinline)) int filter(int m)
{
    int sum = 0;
    if (m == 1)
        for (int i = 0; i < 32; i++) sum += data[i] * 3;
    return sum;
}

static __attribute__((noinline)) int search(int m)
{
    int most = 0;
    if (m != 1)
        for (int i = 0; i < 32; i++)
            if (data[i] > most) most = data[i];
    return most;
}

void run(void)
{
    int m = mode;
    out = filter(m) + search(m);
}
