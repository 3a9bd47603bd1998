/* Code from which compilers make Zcb and Zicond: bytes and halves in memory, products, numbers
 * that are made wider or inverted, and numbers that are chosen without a branch. */
#define APART __attribute__((noinline))

volatile unsigned char bytes[16];
volatile unsigned short halves[16];
volatile int port;

APART int mixed(int number)
{
    unsigned sum = 0;
    for (int i = 0; i < 16; i++) {
        unsigned char low = (unsigned char)(sum * bytes[i]);
        short high = (short)halves[i];
        bytes[i] = low;
        halves[i] = (unsigned short)high;
        sum = ~sum + (unsigned)(high > number ? low : 0);
    }
    return (int)sum;
}

/* The chosen number is how often the loop iterates. */
APART int chosen(int number)
{
    int times = number & 15;
    if (port)
        times = 0;
    for (int i = 0; i < times; i++)
        port = 0;
    return times;
}

/* The start of all tests calls it. */
void measure_all(void) {}
