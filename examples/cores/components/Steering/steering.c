/* Turns away from what is near. */
#include <camkes.h>

static int angle;

int run(void)
{
    int room = map_read(angle);
    angle += room < 16 ? 1 : 0;
    log_append(angle);
    return 0;
}
