/* A server whose methods make random system calls too. */

#include <camkes.h>
#include "../../storm.h"

static uint64_t state;

int draw_draw(int from)
{
    state += (uint64_t)from;
    random_call(&state, seed);
    return (int)state;
}

int draw_again(int from)
{
    for (int i = 0; i < 3; i++) {
        random_call(&state, seed + from);
    }
    return (int)state;
}
