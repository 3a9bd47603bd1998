/* Programs that control leaves, for good or until something comes back.
 *
 * Each has an argument, and takes longest with a number that is not 0. A debugger and a kernel may
 * change the registers that a call may change. */
#if defined(__riscv)
#define STOP __asm__ volatile("ebreak")
#define UNDEFINED __asm__ volatile("unimp")
#define BACK __asm__ volatile("mret")
#define BACK_OTHERWISE __asm__ volatile("sret")
#define ASK __asm__ volatile("ecall" ::: "memory")
#define CHANGED \
    "memory", "a0", "a1", "a2", "a3", "a4", "a5", "a6", "a7", "t0", "t1", "t2", "t3", "t4", "t5", \
        "t6"
/* Shifts that do nothing around a breakpoint tell a debugger that it is asked for something. */
#define ASK_BETWEEN_SHIFTS(WHOM) \
    __asm__ volatile(".option push\n.option norvc\nslli x0, x0, 0x1f\n" WHOM \
                     "\nsrai x0, x0, 7\n.option pop" ::: CHANGED)
#define ASK_DEBUGGER ASK_BETWEEN_SHIFTS("ebreak")
#define ASK_KERNEL ASK_BETWEEN_SHIFTS("ecall")
#elif defined(__aarch64__)
#define STOP __asm__ volatile("brk #1")
#define UNDEFINED __asm__ volatile("udf #0")
#define BACK __asm__ volatile("eret")
/* `eretaa`, for which older processors have no name. */
#define BACK_OTHERWISE __asm__ volatile(".inst 0xd69f0bff")
#define ASK __asm__ volatile("svc #0" ::: "memory")
#define CHANGED \
    "memory", "x0", "x1", "x2", "x3", "x4", "x5", "x6", "x7", "x8", "x9", "x10", "x11", "x12", \
        "x13", "x14", "x15", "x16", "x17"
#define ASK_DEBUGGER __asm__ volatile("hlt #0xf000" ::: CHANGED)
#define ASK_KERNEL __asm__ volatile("svc #0" ::: CHANGED)
#else
#define STOP __asm__ volatile("bkpt #1")
#define UNDEFINED __asm__ volatile("udf #0")
#define BACK __asm__ volatile("movs pc, lr")
#define BACK_OTHERWISE __asm__ volatile("rfeia sp!")
#define ASK __asm__ volatile("svc #0" ::: "memory")
#define CHANGED "memory", "r0", "r1", "r2", "r3", "r12"
#define ASK_DEBUGGER __asm__ volatile("bkpt #0xab" ::: CHANGED)
#define ASK_KERNEL __asm__ volatile("svc #0" ::: CHANGED)
#endif
#define APART __attribute__((noinline))

volatile int sink, source;
int counter;

static APART void work(int times)
{
    for (int i = 0; i < times; i++)
        sink = i;
}

/* The path that ends is the long one. */
APART int stop_behind_work(int bad)
{
    if (bad) {
        work(1000);
        STOP;
    }
    return sink;
}

APART int stop_undefined(int bad)
{
    if (bad) {
        work(300);
        UNDEFINED;
    }
    return sink;
}

/* One path ends early, another one late in a loop whose iterations are summed up. */
APART int stop_late(int at)
{
    if (at < 0)
        STOP;
    for (int i = 0; i < 20000; i++) {
        sink = i;
        if (i == at) {
            work(40);
            STOP;
        }
    }
    return 0;
}

static APART __attribute__((noreturn)) void gives_up(void)
{
    work(20);
    for (;;)
        STOP;
}

/* It ends in what it calls, behind which other code lies. */
APART int stop_in_callee(int bad)
{
    if (bad) {
        work(30);
        gives_up();
    }
    return sink;
}

/* Goes back to what was interrupted. */
static APART __attribute__((noreturn)) void leave(void)
{
    work(5);
    BACK;
    __builtin_unreachable();
}

APART void back_at_once(int argument)
{
    work(25);
    (void)argument;
    leave();
}

/* Lies behind the call above. */
APART int not_reached(int n)
{
    for (int i = 0; i < n; i++)
        sink = i;
    return n;
}

APART int back_or_return(int goes)
{
    if (goes) {
        work(50);
        leave();
    }
    return sink;
}

/* Nobody told the compiler that it never comes back. */
static APART void leave_quietly(void)
{
    sink = 1;
    BACK;
}

/* Nothing but what it calls leads out of the loop. */
APART void back_from_loop(int argument)
{
    (void)argument;
    for (int i = 0;; i++) {
        sink = i;
        if (i == 30)
            leave_quietly();
    }
}

/* Nobody told the compiler either, and this goes back in another way. */
static APART void leave_otherwise(void)
{
    sink = 2;
    BACK_OTHERWISE;
}

APART void back_otherwise(int argument)
{
    work(15);
    (void)argument;
    leave_otherwise();
    for (int i = 0; i < 40; i++)
        sink = i;
}

static APART int asks(void)
{
    ASK;
    return sink;
}

APART int ask_in_callee(int argument)
{
    (void)argument;
    counter = 7;
    work(10);
    int found = asks();
    for (int i = 0; i < counter; i++)
        sink = i;
    return found;
}

/* A debugger writes a character and comes back, and so does the kernel: these two run the same but
 * for who is asked. */
APART int logged(int verbose)
{
    if (verbose) {
        work(4);
        ASK_DEBUGGER; /* asks a debugger */
        for (int i = 0; i < 1000; i++)
            sink = i;
    }
    return sink;
}

APART int logged_by_kernel(int verbose)
{
    if (verbose) {
        work(4);
        ASK_KERNEL;
        for (int i = 0; i < 1000; i++)
            sink = i;
    }
    return sink;
}

/* What nothing leads out of is no end either. */
APART int never_endless(int bad)
{
    if (bad)
        for (;;)
            ;
    return sink;
}

APART int never_elsewhere(int bad)
{
    if (bad)
        ((void (*)(void))0x1000)();
    return sink;
}

APART int wait_for_it(int argument)
{
    (void)argument;
    while (!source)
        __asm__ volatile("wfi");
    return sink;
}

APART int waits(int argument)
{
    (void)argument;
    __asm__ volatile("wfi");
    work(3);
    return sink;
}

void measure_all(void)
{
}
