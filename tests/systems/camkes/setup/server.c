#include <camkes.h>

static int state;

void pre_init(void)
{
    state = 3;
}

void p__init(void)
{
    state *= 3;
}

int p_state(void)
{
    return state;
}
