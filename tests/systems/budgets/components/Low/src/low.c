/* Goes inside, one kind of round after the other. */
#include "../../budgets.h"

static unsigned jobs;

int run(void)
{
    int what = (int)(jobs++ % ROUNDS);
    cold();
    if (is_quiet((unsigned)what)) {
        return 0;
    }
    if (what == FETCH) {
        char *text;
        wide_fetch(what, &text);
        free(text);
    } else {
        wide_go(what);
    }
    cold();
    return 0;
}
