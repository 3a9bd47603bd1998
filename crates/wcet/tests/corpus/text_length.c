/* The length of a text that ends by a zero, in a buffer of known size. */
char text[40];
unsigned length;

int prepare(int input)
{
    for (int i = 0; i < 40; i++) text[i] = i < input ? 'x' : 0;
    return input <= 40;
}

void run(void)
{
    unsigned n = 0;
    while (n < sizeof text && text[n]) n++;
    length = n;
}
