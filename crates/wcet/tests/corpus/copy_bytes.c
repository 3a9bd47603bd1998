/* Copies of several lengths through one function. */
unsigned char from[128], to[128];
unsigned length;

int prepare(int input)
{
    length = (unsigned)input;
    return input < 70;
}

static __attribute__((noinline)) void copy(unsigned char *t, const unsigned char *f, unsigned n)
{
    while (n--) {
        *t++ = *f++;
        __asm__ volatile("" ::: "memory");
    }
}

void run(void)
{
    unsigned n = length;
    if (n > 64) n = 64;
    copy(to, from, n);
    copy(to + 64, from + 64, 16);
}
