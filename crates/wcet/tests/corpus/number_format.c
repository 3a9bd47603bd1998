/* A number as decimal digits, least first, then turned round. */
/* fact: run 10 */
unsigned number;
char text[12];
int length;

int prepare(int input)
{
    static const unsigned numbers[] = {4294967295u, 0, 10, 1000000000};
    number = numbers[input & 3];
    return input < 4;
}

void run(void)
{
    unsigned rest = number;
    int n = 0;
    do {
        text[n++] = (char)('0' + rest % 10);
        rest /= 10;
    } while (rest);
    length = n;
    for (int i = 0, j = n - 1; i < j; i++, j--) {
        char kept = text[i];
        text[i] = text[j];
        text[j] = kept;
    }
}
