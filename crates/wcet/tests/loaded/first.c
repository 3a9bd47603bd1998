/* A `main`, and how it comes to be called. What it finds, prepare() has left there. */

#define ONCE 0
#define TWICE 1
#define AGAIN_AND_AGAIN 2
#define BY_A_TABLE 3
#define EITHER 4
#define BY_ANOTHER 5

static volatile int nothing;
int limit = 6;
int rounds[64] = { 1, 4, 2 };
int cleared[64];

static void __attribute__((noinline)) work(int n)
{
    for (; n > 0; n--)
        nothing = n;
}

int __attribute__((noinline)) main(void)
{
    work(limit);
    for (int i = 0; i < 64; i++)
        work(rounds[i] + cleared[i]);
    limit = 40;
    return 0;
}

void __attribute__((noinline)) prepare(void)
{
    for (int i = 0; i < 64; i++)
        cleared[i] = 0;
    rounds[1] = 9;
    limit += 3;
}

#if CASE == BY_A_TABLE
int (*const volatile table[])(void) = { main, main };
#endif

#if CASE == BY_ANOTHER
int __attribute__((noinline)) another(void)
{
    return main();
}
#endif

void measure_all(void)
{
    prepare();
    switch (CASE) {
    case ONCE:
        main();
        break;
    case TWICE:
        main();
        main();
        break;
    case AGAIN_AND_AGAIN:
        for (int i = 0; i < 3; i++)
            main();
        break;
#if CASE == BY_A_TABLE
    case BY_A_TABLE:
        table[0]();
        table[1]();
        break;
#endif
#if CASE == BY_ANOTHER
    case BY_ANOTHER:
        another();
        another();
        break;
#endif
    case EITHER:
        for (int i = 0; i < 8; i++)
            if (nothing)
                limit = 30;
        main();
        break;
    }
}
