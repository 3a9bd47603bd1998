#include <camkes.h>
#include <stdio.h>

int run(void)
{
    for (const char *next = text; *next != 0; next++) {
        if (console_put(*next) != 0) {
            return -1;
        }
    }
    printf("%zu bytes by now\n", console_sent());
    return 0;
}
