/* Merge sort from runs of 1 to runs of 16, between two arrays. */
/* fact: merge 32 */
int one[32], other[32];

int prepare(int input)
{
    for (int i = 0; i < 32; i++) one[i] = input == 0 ? i * 21 % 32 : 32 - i;
    return input < 2;
}

static __attribute__((noinline)) void merge(const int *from, int *to, int width)
{
    for (int start = 0; start < 32; start += 2 * width) {
        int a = start, b = start + width, a_end = b, b_end = b + width;
        for (int i = start; i < b_end; i++) {
            if (b >= b_end || (a < a_end && from[a] <= from[b]))
                to[i] = from[a++];
            else
                to[i] = from[b++];
        }
    }
}

void run(void)
{
    merge(one, other, 1);
    merge(other, one, 2);
    merge(one, other, 4);
    merge(other, one, 8);
    merge(one, other, 16);
}
