/* Eight switches are read 20 times; one has changed when three readings agree. */
unsigned char readings[20];
unsigned char stable, changes;

int prepare(int input)
{
    for (int i = 0; i < 20; i++) readings[i] = (unsigned char)(input == 0 ? (i / 3 & 1 ? 255 : 0) : i * 37);
    stable = 0;
    return input < 2;
}

void run(void)
{
    unsigned char counts[8] = {0};
    for (int i = 0; i < 20; i++)
        for (int k = 0; k < 8; k++) {
            int differs = (readings[i] ^ stable) >> k & 1;
            if (!differs)
                counts[k] = 0;
            else if (++counts[k] == 3) {
                stable ^= (unsigned char)(1 << k);
                counts[k] = 0;
                changes++;
            }
        }
}
