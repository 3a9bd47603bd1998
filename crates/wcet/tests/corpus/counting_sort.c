/* Counting sort of 48 bytes below 16: the inner loop turns as often as there are bytes. */
/* fact: run 48 */
unsigned char bytes[48];

int prepare(int input)
{
    for (int i = 0; i < 48; i++) bytes[i] = (unsigned char)(i * (input + 1) & 15);
    return input < 3;
}

void run(void)
{
    unsigned counts[16];
    for (int i = 0; i < 16; i++) counts[i] = 0;
    for (int i = 0; i < 48; i++) counts[bytes[i] & 15]++;
    unsigned sum = 0;
    for (int i = 0; i < 16; i++) {
        unsigned here = counts[i];
        counts[i] = sum;
        sum += here;
    }
    unsigned char sorted[48];
    for (int i = 0; i < 48; i++) sorted[counts[bytes[i] & 15]++ % 48] = bytes[i];
    for (int i = 0; i < 48; i++) bytes[i] = sorted[i];
}
