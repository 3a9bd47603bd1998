#include <camkes.h>
#include <sel4/sel4.h>
#include <stdio.h>

int run(void)
{
    for (int round = 0; round < 3; round++) {
        door_enter(number);
        /* Whoever comes now has to wait outside. */
        for (int i = 0; i < 5; i++) {
            seL4_Yield();
        }
        printf("alone in the room: %s\n", door_leave(number) ? "yes" : "no");
    }
    while (door_visits() < 6) {
        seL4_Yield();
    }
    printf("all have been there\n");
    return 0;
}
