/* A journal of events, the newest first. Whoever adds one keeps it at 16 at most. */

struct event {
    struct event *before;
    unsigned bytes;
};

struct event *newest;

unsigned size(void)
{
    unsigned sum = 0;
    for (const struct event *at = newest; at; at = at->before)
        sum += at->bytes;
    return sum;
}

void _start(void)
{
    size();
    for (;;) {
    }
}
