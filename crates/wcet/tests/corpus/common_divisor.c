/* Euclid's algorithm with remainders of numbers below 1000: its rounds depend on both numbers. */
/* fact: divide 16 */
unsigned one, other, divisor;

int prepare(int input)
{
    one = input == 0 ? 987 : 600;
    other = input == 0 ? 610 : 37u * (unsigned)input;
    return input < 4;
}

static __attribute__((noinline)) unsigned divide(unsigned a, unsigned b)
{
    while (b) {
        unsigned rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

void run(void) { divisor = divide(one, other); }
