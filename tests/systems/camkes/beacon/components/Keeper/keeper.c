#include <camkes.h>
#include <stdio.h>

int run(void)
{
    int *first = (int *)flashes + 8;
    for (int i = 0; i < 4; i++) {
        first[i] = 10 * (i + 1);
    }
    flashes_release();
    printf("changed before: %d\n", changed_poll());
    printf("shown: %d\n", lamp_show(dataport_wrap_ptr(first), 4));
    printf("changed after: %d, and then: %d\n", changed_poll(), changed_poll());
    int level = 70;
    const int most = 100;
    lamp_brightness(&level, &most);
    printf("brightness: %d\n", level);
    return 0;
}
