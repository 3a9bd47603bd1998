#include <camkes.h>

int run(void)
{
    command_acquire();
    valve_apply(*(volatile int *)command);
    return 0;
}
