/* Fails inside, now before somebody comes and now after; or writes what it likes into the word. */
#include <camkes.h>
#include <fusee.h>

static int jobs;

int run(void)
{
    if (lies) {
        jobs++;
        bus_lie(jobs % 7 == 0 ? 0 : (int)(jobs % 3 == 0 ? 2654435761u * (unsigned)jobs : (unsigned)jobs % 8));
        return 0;
    }
    bus_fail(1000 + jobs++ * 997 % 90000);
    (void)fusee_take_error();
    return 0;
}
