#include <camkes.h>
#include <stdio.h>

int run(void)
{
    static unsigned jobs;
    for (int i = 0; i < turns; i++) {
        work_turn(length);
    }
    jobs++;
    if (tells != 0 && jobs % 2 == 0) {
        printf("%u turns, %u wrong, %u refused, %u of who died\n", work_seen(0), work_seen(1), work_seen(2), work_seen(3));
    }
    if (leaves != 0) {
        if (jobs == 1) {
            printf("unlocking what is free: %d\n", work_misuse(0));
            printf("locking twice: %d\n", work_misuse(1));
        }
        if (jobs % 5 == 0) {
            int found = work_misuse(2);
            if (found != 0) {
                printf("leaves with %d\n", found);
            }
        }
    }
    return 0;
}
