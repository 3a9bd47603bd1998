/* A ring buffer: ten puts and ten gets. */
int ring[8];
unsigned head, tail;
int lost, sum;

int prepare(int input)
{
    head = tail = (unsigned)input;
    return input < 8;
}

static __attribute__((noinline)) int put(int value)
{
    if (head - tail == 8) return 0;
    ring[head++ & 7] = value;
    return 1;
}

static __attribute__((noinline)) int get(int *value)
{
    if (head == tail) return 0;
    *value = ring[tail++ & 7];
    return 1;
}

void run(void)
{
    int value;
    for (int i = 0; i < 10; i++)
        if (!put(i)) lost++;
    for (int i = 0; i < 10; i++)
        if (get(&value)) sum += value;
}
