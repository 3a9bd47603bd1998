/* The sieve of Eratosthenes up to 200. */
unsigned char composite[200];
int counted;

int prepare(int input)
{
    for (int i = 0; i < 200; i++) composite[i] = 0;
    return input < 1;
}

void run(void)
{
    int n = 0;
    for (int i = 2; i < 200; i++) {
        if (composite[i]) continue;
        n++;
        for (int k = i * i; k < 200; k += i) composite[k] = 1;
    }
    counted = n;
}
