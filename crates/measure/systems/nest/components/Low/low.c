/* Holds all mutexes whenever it can. */
#include <camkes.h>

int run(void)
{
    for (int round = 0;; round++) {
        held_hold(round % 3);
    }
}
