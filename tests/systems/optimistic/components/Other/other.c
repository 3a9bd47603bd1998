/* Has nothing to do with the others. */
#include <camkes.h>
#include <fusee.h>

int run(void)
{
    fusee_compute(20000);
    return 0;
}
