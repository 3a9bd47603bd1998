/* Goes inside, one kind of round after the other. */
#include "../../general.h"

static unsigned jobs;

int run(void)
{
    int what = (int)(jobs++ % ROUNDS);
    if (what == FETCH) {
        char *text;
        cold();
        wide_fetch(what, &text);
        free(text);
    } else {
        cold();
        wide_go(what);
    }
    cold();
    return 0;
}
