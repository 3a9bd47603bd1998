/* A list in writable memory, of at most 16 elements; nothing but a fact says so. */
/* fact: total 17 */
struct element {
    struct element *next;
    int value;
};
struct element elements[16];
struct element *head;
int sum;

int prepare(int input)
{
    head = 0;
    for (int i = 0; i < input * 4 && i < 16; i++) {
        elements[i].value = i;
        elements[i].next = head;
        head = &elements[i];
    }
    return input < 5;
}

static __attribute__((noinline)) int total(const struct element *at)
{
    int result = 0;
    for (; at; at = at->next) result += at->value;
    return result;
}

void run(void) { sum = total(head); }
