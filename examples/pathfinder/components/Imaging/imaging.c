#include <camkes.h>

/* Compresses a picture: 400 ms, where nothing more urgent is to be done. */
int run(void)
{
    fusee_compute(400000000 - 100);
    return 0;
}
