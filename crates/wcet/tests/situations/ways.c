/* Ways to go on that no loop and no call of the language shows: places in tables to which `goto`
 * leads, calls that are the last thing a function does, and numbers that grow by an unknown step.
 */
#define APART __attribute__((noinline))

typedef unsigned char byte;
volatile int port;

/* An interpreter of a constant program, each of whose instructions jumps to the next. */
static const byte constant[] = {0, 1, 2, 1, 0, 3};
APART int goto_constant(int number)
{
    static const void *const places[] = {&&add, &&twice, &&negate, &&end};
    const byte *order = constant;
    goto *places[*order++];
add:
    number++;
    goto *places[*order++];
twice:
    number *= 2;
    goto *places[*order++];
negate:
    port = number;
    number = -number;
    goto *places[*order++];
end:
    return number;
}

/* An interpreter of any program: two bits of an instruction say where it leads. */
byte orders[16];
APART int goto_masked(int number)
{
    static const void *const places[] = {&&add, &&times, &&negate, &&nothing};
    const byte *order = orders;
    int left = 16;
next:
    if (left-- <= 0)
        return number;
    goto *places[*order++ & 3];
add:
    number++;
    goto next;
times:
    number *= port;
    goto next;
negate:
    port = number;
    number = -number;
    goto next;
nothing:
    goto next;
}

/* Makes a program of two instructions that take turns: the lowest bits are the first one. */
APART void fill(int both)
{
    for (int at = 0; at < 16; at++)
        orders[at] = (byte)(both >> at % 2 * 2);
}

/* Two functions that end by calling each other. */
APART int tail_odd(unsigned number);
APART int tail_even(unsigned number)
{
    if (number > 20)
        number = 20;
    port = 2;
    return number == 0 ? 1 : tail_odd(number - 1);
}

APART int tail_odd(unsigned number)
{
    port = 1;
    return number == 0 ? 0 : tail_even(number - 1);
}

/* A step that is at least 1. */
APART int step_positive(byte step)
{
    int many = 0;
    for (unsigned i = 0; i < 1000; i += step + 1u) {
        port = 1;
        many++;
    }
    return many;
}

/* A step that may be 0, and then there is no end. */
APART void step_any(byte step)
{
    for (unsigned i = 0; i < 1000; i += step)
        port = 1;
}

/* A step that may lead past the end to small numbers: with 65,535 there is no end. */
APART void step_around(unsigned short step)
{
    for (unsigned i = 0xfffff000; i < 0xffffff00; i += step + 1u)
        port = 1;
}

/* The start of all tests calls it. */
void measure_all(void) {}
