/* A power modulo a number of 15 bits, by squaring. */
/* fact: run 16 */
unsigned base, exponent, modulus, power;

int prepare(int input)
{
    base = 12345;
    exponent = input == 0 ? 0xffff : 0x8001u * (unsigned)input & 0xffff;
    modulus = 32749;
    return input < 3;
}

void run(void)
{
    unsigned result = 1, square = base % modulus, left = exponent & 0xffff;
    while (left) {
        if (left & 1) result = result * square % modulus;
        square = square * square % modulus;
        left >>= 1;
    }
    power = result;
}
