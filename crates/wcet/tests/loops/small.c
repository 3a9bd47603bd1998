/* Small data, which linkers reach through the global pointer. */
void measure_all(void) {}

/* What lies first is too far away. */
volatile int one = 1, two = 2, three = 3, four = 4, five = 5, six = 6, seven = 7, eight = 8;
volatile int cell;

int small(void)
{
    volatile int *same;
    cell = 7;
    /* The same place by its address. */
    __asm__ volatile(".option push\n.option norelax\nlla %0, cell\n.option pop" : "=r"(same));
    int rounds = *same;
    for (int i = 0; i < rounds; i++)
        __asm__ volatile("");
    return rounds;
}

int plain(int n)
{
    return n + 1;
}
