/* Two texts of at most 20 characters, regardless of upper and lower case. */
char left[20], right[20];
int order;

int prepare(int input)
{
    for (int i = 0; i < 20; i++) {
        left[i] = 'Q';
        right[i] = i == input * 5 ? 'z' : input & 1 ? 'q' : 'Q';
    }
    return input < 5;
}

static int lower(int c) { return c >= 'A' && c <= 'Z' ? c + 32 : c; }

void run(void)
{
    order = 0;
    for (int i = 0; i < 20; i++) {
        int a = lower(left[i]), b = lower(right[i]);
        if (a != b) {
            order = a - b;
            return;
        }
        if (a == 0) return;
    }
}
