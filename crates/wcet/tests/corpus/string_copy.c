/* Copy, append and compare of texts; the texts are read-only, the buffer is not. */
static const char one[] = "timing is ", two[] = "an observable effect", three[] = "timing is an illusion";
char buffer[40];
int order;

int prepare(int input) { return input < 1; }

static __attribute__((noinline)) char *copy(char *to, const char *from)
{
    while ((*to = *from)) {
        to++;
        from++;
    }
    return to;
}

static __attribute__((noinline)) int compare(const char *a, const char *b)
{
    while (*a && *a == *b) {
        a++;
        b++;
    }
    return (unsigned char)*a - (unsigned char)*b;
}

void run(void)
{
    copy(copy(buffer, one), two);
    order = compare(one, three);
}
