/* Integer square root, bit by bit. */
unsigned number;
unsigned root;

int prepare(int input)
{
    static const unsigned numbers[] = {0, 1, 2, 99, 65535, 65536, 4294967295u, 4294836225u};
    number = numbers[input & 7];
    return input < 8;
}

void run(void)
{
    unsigned rest = number, result = 0, bit = 1u << 30;
    while (bit > rest) bit >>= 2;
    while (bit) {
        if (rest >= result + bit) {
            rest -= result + bit;
            result = (result >> 1) + bit;
        } else
            result >>= 1;
        bit >>= 2;
    }
    root = result;
}
