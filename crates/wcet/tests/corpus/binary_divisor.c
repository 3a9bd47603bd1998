/* The greatest common divisor by shifts and differences. */
/* fact: divide 32 */
unsigned one, other, divisor;

int prepare(int input)
{
    one = input == 0 ? 0xffff : 40000;
    other = input == 0 ? 0x8001 : (unsigned)input * 1000;
    return input < 3;
}

static __attribute__((noinline)) unsigned divide(unsigned a, unsigned b)
{
    unsigned shift = 0;
    if (!a || !b) return a | b;
    while (((a | b) & 1) == 0) {
        a >>= 1;
        b >>= 1;
        shift++;
    }
    while (a != b) {
        if ((a & 1) == 0)
            a >>= 1;
        else if ((b & 1) == 0)
            b >>= 1;
        else if (a > b)
            a = (a - b) >> 1;
        else
            b = (b - a) >> 1;
    }
    return a << shift;
}

void run(void) { divisor = divide(one, other); }
