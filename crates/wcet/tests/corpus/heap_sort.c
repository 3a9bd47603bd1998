/* Heap sort of 24 numbers. */
/* fact: sink 5 */
int heap[24];

int prepare(int input)
{
    for (int i = 0; i < 24; i++) heap[i] = input == 0 ? i : i * 13 % 24;
    return input < 2;
}

static __attribute__((noinline)) void sink(int at, int count)
{
    int moving = heap[at];
    for (;;) {
        int child = 2 * at + 1;
        if (child >= count) break;
        if (child + 1 < count && heap[child + 1] > heap[child]) child++;
        if (heap[child] <= moving) break;
        heap[at] = heap[child];
        at = child;
    }
    heap[at] = moving;
}

void run(void)
{
    for (int i = 11; i >= 0; i--) sink(i, 24);
    for (int end = 23; end > 0; end--) {
        int last = heap[end];
        heap[end] = heap[0];
        heap[0] = last;
        sink(0, end);
    }
}
