/* Loops that go round as often as an argument says, once it is held within limits. */
#define STAYS __asm__ volatile("")

void measure_all(void) {}

int clamp_above(int n)
{
    if (n > 100)
        n = 100;
    for (int i = 0; i < n; i++)
        STAYS;
    return n;
}

int clamp_unsigned(unsigned n)
{
    if (n > 100)
        n = 100;
    for (unsigned i = 0; i < n; i++)
        STAYS;
    return n;
}

int clamp_refused(int n)
{
    if (n < 0 || n > 100)
        return -1;
    for (int i = 0; i < n; i++)
        STAYS;
    return n;
}

int clamp_long(long n)
{
    if (n > 100)
        n = 100;
    for (long i = 0; i < n; i++)
        STAYS;
    return n;
}

int clamp_mask(int n)
{
    n &= 63;
    for (int i = 0; i < n; i++)
        STAYS;
    return n;
}

int clamp_remainder(unsigned n)
{
    n %= 100;
    for (unsigned i = 0; i < n; i++)
        STAYS;
    return n;
}

int clamp_signed_remainder(int n)
{
    n %= 100;
    for (int i = 0; i < n; i++)
        STAYS;
    return n;
}

int clamp_byte(unsigned char n)
{
    for (int i = 0; i < n; i++)
        STAYS;
    return n;
}

int clamp_short(short n)
{
    for (int i = 0; i < n; i++)
        STAYS;
    return n;
}

int clamp_down(int n)
{
    if (n > 100)
        n = 100;
    while (n-- > 0)
        STAYS;
    return n;
}

int clamp_table(const int *from, int n)
{
    int sum = 0;
    if (n > 100)
        n = 100;
    for (int i = 0; i < n; i++)
        sum += from[i];
    return sum;
}

int clamp_pointer(const int *from, unsigned n)
{
    int sum = 0;
    if (n > 100)
        n = 100;
    for (const int *end = from + n; from != end; from++)
        sum += *from;
    return sum;
}

int clamp_below_end(const int *from, unsigned n)
{
    int sum = 0;
    if (n > 100)
        n = 100;
    for (const int *end = from + n; from < end; from++)
        sum += *from;
    return sum;
}

void clamp_filled(char *to, unsigned n)
{
    char *end = to + (n & 63);
    while (to < end)
        *to++ = 0;
}

int clamp_loaded(const int *from)
{
    int sum = 0, n = from[0];
    if (n > 100)
        n = 100;
    for (int i = 1; i < n; i++)
        sum += from[i];
    return sum;
}

int clamp_stepped(int n)
{
    if (n > 100)
        n = 100;
    for (int i = 0; i < n; i += 3)
        STAYS;
    return n;
}

int clamp_twice(int n, int m)
{
    if (n > 20)
        n = 20;
    if (m > 30)
        m = 30;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            STAYS;
    return n;
}

int clamp_shifted(unsigned n)
{
    n >>= 25;
    for (unsigned i = 0; i < n; i++)
        STAYS;
    return n;
}

/* One comparison for both ends: what is compared wraps around where `n` is less. */
int clamp_between(int n)
{
    if (n < 1 || n > 100)
        return -1;
    int i = 0;
    do {
        STAYS;
    } while (++i != n);
    return n;
}

int clamp_both_ends(const int *from, int n)
{
    int sum = 0;
    if (n < 5 || n > 60)
        return -1;
    for (int i = 0; i < n; i++)
        sum += from[i];
    return sum;
}

double clamp_floating(const double *from, int n)
{
    double sum = 0;
    if (n > 50)
        n = 50;
    for (int i = 0; i < n; i++)
        sum += from[i];
    return sum;
}
