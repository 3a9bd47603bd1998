/* A task that makes one random system call after the other until its job's share is used up. */

#include <camkes.h>
#include <stdio.h>
#include "../../storm.h"

static uint64_t state;
static unsigned calls;

int run(void)
{
    for (int i = 0; i < 40; i++) {
        random_call(&state, seed);
        if (++calls % 500 == 0) {
            printf("%u calls\n", calls);
        }
    }
    return 0;
}
