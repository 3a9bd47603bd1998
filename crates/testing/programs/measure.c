/* Runs a test program's inputs one after the other and prints what each took. */
#ifndef UART
#define UART 0x10000000
#endif

extern void run(void);
extern int prepare(int input);
extern unsigned long count(void (*function)(void));

static void put(char c) { *(volatile char *)UART = c; }

static void number(unsigned long n)
{
    char digits[24];
    int used = 0;
    do {
        digits[used++] = (char)('0' + n % 10);
        n /= 10;
    } while (n);
    while (used) put(digits[--used]);
    put('\n');
}

void measure_all(void)
{
    for (int input = 0; prepare(input); input++) number(count(run));
}
