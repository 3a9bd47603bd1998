/* A list in read-only memory: its end is found by following it. */
struct element {
    const struct element *next;
    int value;
};
static const struct element elements[6] = {
    {&elements[3], 5}, {&elements[4], 7}, {0, 1}, {&elements[1], 9}, {&elements[5], 2}, {&elements[2], 8},
};
int sum;

int prepare(int input) { return input < 1; }

void run(void)
{
    int result = 0;
    for (const struct element *at = elements; at; at = at->next) result += at->value;
    sum = result;
}
