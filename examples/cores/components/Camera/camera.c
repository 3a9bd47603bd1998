/* Puts each picture into the map. */
#include <camkes.h>
#include <stdio.h>

static int picture;

int run(void)
{
    picture++;
    log_append(map_update(picture));
    if (picture % 5 == 0)
        printf("%d pictures\n", picture);
    return 0;
}
