#include <camkes.h>

static int shown;

int run(void)
{
    shown++;
    return 0;
}
