#include <camkes.h>

/* One tick. */
int run(void)
{
    fusee_compute((uintptr_t)micros * 950);
    return 0;
}
