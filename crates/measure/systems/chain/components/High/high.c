/* Asks for one gate after the other, so that chains of all lengths come about. */
#include <camkes.h>
#include "measure.h"

static unsigned turn;

#define ASK(number)                                            \
    case number:                                               \
        shared[1] = 8 - number; /* how many of them inherit */ \
        disturb();                                             \
        shared[0] = fusee_now();                               \
        gate##number##_touch();                                \
        break

int run(void)
{
    volatile uint64_t *shared = (volatile uint64_t *)board;
    turn = turn % 3 + 1;
    switch (turn * 3 - 2) {
        ASK(1);
        ASK(4);
        ASK(7);
    }
    return 0;
}
