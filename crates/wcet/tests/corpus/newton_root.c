/* A square root by Newton's steps, until they no longer get smaller. */
/* fact: root 20 */
unsigned number, result;

int prepare(int input)
{
    static const unsigned numbers[] = {4000000000u, 0, 1, 99, 65536, 2147483648u};
    number = numbers[input % 6];
    return input < 6;
}

static __attribute__((noinline)) unsigned root(unsigned n)
{
    if (n < 2) return n;
    unsigned guess = n / 2;
    for (;;) {
        unsigned better = (guess + n / guess) / 2;
        if (better >= guess) return guess;
        guess = better;
    }
}

void run(void) { result = root(number); }
