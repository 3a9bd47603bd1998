#include <camkes.h>
#include <stdio.h>

static int state;

void pre_init(void)
{
    state = state * 10 + 1;
}

void p__init(void)
{
    state = state * 10 + 2;
}

void post_init(void)
{
    state = state * 10 + p_state();
}

int run(void)
{
    printf("%d\n", state);
    return 0;
}
