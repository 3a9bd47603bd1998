/* Asks for one gate after the other. */
#include <camkes.h>
#include <fusee.h>

static unsigned turn;

#define ASK(number)                                            \
    case number:                                               \
        shared[1] = 8 - number; /* how many of them inherit */ \
        shared[0] = fusee_now();                               \
        gate##number##_touch();                                \
        break

int run(void)
{
    volatile uint64_t *shared = (volatile uint64_t *)board;
    turn = turn % 7 + 1;
    switch (turn) {
        ASK(1);
        ASK(2);
        ASK(3);
        ASK(4);
        ASK(5);
        ASK(6);
        ASK(7);
    }
    return 0;
}
