/* Division and remainder by repeated subtraction of shifted divisors. */
unsigned dividend, divisor;
unsigned quotient, rest;

int prepare(int input)
{
    dividend = input == 0 ? ~0u : 123456789u * (unsigned)input;
    divisor = input == 0 ? 1 : (unsigned)input * 77u;
    return input < 5;
}

void run(void)
{
    unsigned q = 0, r = 0;
    for (int bit = 31; bit >= 0; bit--) {
        r = r << 1 | (dividend >> bit & 1);
        q <<= 1;
        if (r >= divisor) {
            r -= divisor;
            q |= 1;
        }
    }
    quotient = q;
    rest = r;
}
