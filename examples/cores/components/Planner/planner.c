/* Looks to both sides, and goes where there is more room. */
#include <camkes.h>

static int place;

int run(void)
{
    int left = map_read(place - 8), right = map_read(place + 8);
    place += left > right ? -1 : 1;
    log_append(place);
    return 0;
}
