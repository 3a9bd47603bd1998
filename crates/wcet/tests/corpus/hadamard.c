/* The Walsh-Hadamard transform of 64 numbers in place. */
int numbers[64];

int prepare(int input)
{
    for (int i = 0; i < 64; i++) numbers[i] = i * (input + 3) & 31;
    return input < 1;
}

void run(void)
{
    for (int half = 1; half < 64; half <<= 1)
        for (int start = 0; start < 64; start += half << 1)
            for (int i = start; i < start + half; i++) {
                int a = numbers[i], b = numbers[i + half];
                numbers[i] = a + b;
                numbers[i + half] = a - b;
            }
}
