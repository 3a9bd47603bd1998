/* A sum that is rounded away from 0 where another mode is set: then `run` is longer. */
volatile double one = 1, small = 1e-30;
volatile unsigned seen;

int prepare(int input)
{
    /* Floating point is off at first. */
    __asm__ volatile("csrs mstatus, %0\n csrw frm, zero" ::"r"(0x6000));
    return input < 1;
}

#define STRING(text) #text
#define SET(mode) "csrw " STRING(mode) ", %0"

void run(void)
{
    /* Upwards, in `frm`; in `fcsr`, the flags are below. */
    int is_whole = SET(MODE)[6] == 'c';
    __asm__ volatile(SET(MODE) ::"r"(is_whole ? 3 << 5 : 3));
    unsigned rounds = one + small > 1 ? 50 : 5;
    for (; rounds; rounds--) seen = rounds;
}
