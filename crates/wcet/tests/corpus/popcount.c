/* Counts the ones of sixteen words, one at a time. */
unsigned words[16];
int ones;

int prepare(int input)
{
    for (int i = 0; i < 16; i++) words[i] = input == 0 ? ~0u : (unsigned)input * 0x01234567u;
    return input < 4;
}

void run(void)
{
    int n = 0;
    for (int i = 0; i < 16; i++)
        for (unsigned w = words[i]; w; w >>= 1) n += (int)(w & 1);
    ones = n;
}
