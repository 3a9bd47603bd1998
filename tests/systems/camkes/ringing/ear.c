#include <camkes.h>
#include <stdio.h>

static int calls;

static void back(void *argument)
{
    calls++;
    printf("%s\n", (const char *)argument);
    if (calls < 2) {
        called_reg_callback(back, "called again");
    }
}

void pre_init(void)
{
    called_reg_callback(back, "called");
}

int run(void)
{
    printf("before: %d\n", heard_poll());
    heard_wait();
    printf("first\n");
    heard_wait();
    printf("second, and %d calls\n", calls);
    return 0;
}
