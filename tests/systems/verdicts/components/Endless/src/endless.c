#include <camkes.h>

static volatile int now, until;

int run(void)
{
    while (now != until) {
    }
    return 0;
}
