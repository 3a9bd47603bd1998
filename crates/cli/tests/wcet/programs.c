/* Programs for the tests of `fusee wcet`: bounded, bounded by a fact, bounded by a target. */

unsigned table[16];
unsigned (*handler)(unsigned);

unsigned sum(void)
{
    unsigned result = 0;
    for (int i = 0; i < 16; i++) result += table[i];
    return result;
}

/* Nobody knows how often this goes round. */
unsigned search(volatile unsigned *found)
{
    while (!*found) {
    }
    return *found;
}

unsigned twice(unsigned n) { return n + n; }

/* Nobody knows where this leads. */
unsigned dispatch(unsigned n) { return handler(n) + 1; }

void _start(void)
{
    table[0] = sum();
    for (;;) {
    }
}

int repeat(int n)
{
    for (int i = 0; i < n; i++)
        __asm__ volatile("");
    return n;
}

int repeat_byte(unsigned char n)
{
    for (int i = 0; i < n; i++)
        __asm__ volatile("");
    return n;
}

#ifdef __riscv
int ask(int n)
{
    __asm__ volatile("ecall");
    return n;
}

int ask_and_go_on(int n)
{
    register int operation __asm__("a7") = 4;
    __asm__ volatile("ecall" : "+r"(operation)::"a0", "t0", "memory");
    return n + operation;
}

static inline __attribute__((always_inline)) void system_call(int number)
{
    register int operation __asm__("a7") = number;
    __asm__ volatile("ecall" : "+r"(operation));
}

static inline __attribute__((always_inline)) void other_call(void)
{
    __asm__ volatile("ecall" ::: "a7");
}

/* One line of source, three instructions. */
int ask_thrice(int n)
{
    system_call(1);
    system_call(n);
    if (n > 3) system_call(3);
    return n;
}

/* The same, and another line. */
int ask_both(int n)
{
    system_call(1);
    other_call();
    system_call(n);
    return n;
}
#endif

int left = 12;
void count_down(void)
{
    volatile int done;

    for (; left > 0; left--)
        done = left;
}
