/* Errors that end several calls at once, as `setjmp` and `longjmp` do it. Each function takes
 * longest with an argument of 15. */
#define APART __attribute__((noinline))

typedef unsigned long place[16];
int setjmp(place) __attribute__((returns_twice));
void longjmp(place, int) __attribute__((noreturn));

volatile int port;
static place handler, outer;

static APART void check(int number)
{
    if (number > 14)
        longjmp(handler, 1);
}

APART int jumps_once(int number)
{
    if (setjmp(handler)) {
        for (int i = 0; i < 9; i++)
            port = i;
        return -1;
    }
    check(number);
    return 0;
}

static APART int through(int number)
{
    check(number);
    return port;
}

/* Past a call in between, which would go on. */
APART int jumps_past(int number)
{
    if (setjmp(handler))
        return port + port + port + port + port + port + port + port + port + port + port;
    return through(number);
}

/* Out of a loop of the function that is left. */
APART int jumps_out(int number)
{
    if (setjmp(handler))
        return -1;
    for (int i = 0; i < 16; i++)
        check(i < number ? i : number);
    return 0;
}

/* Out of a loop whose iterations are too many to be executed one by one. */
APART int jumps_far_out(int number)
{
    if (setjmp(handler))
        return -1;
    for (int i = 0; i < 30000; i++) {
        port = i;
        if (port == 9999 + number)
            longjmp(handler, 3);
    }
    return 0;
}

static APART int inner(int number)
{
    if (setjmp(handler)) {
        port = number;
        longjmp(outer, 2);
    }
    check(number);
    return 1;
}

/* What is caught is passed on to who catches next. */
APART int jumps_on(int number)
{
    int why = setjmp(outer);
    if (why) {
        for (int i = 0; i < 20; i++)
            port = why;
        return why;
    }
    return inner(number);
}

/* Two calls that catch, one after the other. */
APART int jumps_again(int number)
{
    return jumps_once(number) + jumps_past(number);
}

/* The start of all tests calls it. */
void measure_all(void) {}
