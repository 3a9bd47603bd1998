#include <camkes.h>

/* One job: called once in every period. */
int run(void)
{
    fusee_compute((uintptr_t)micros * 950);
    return 0;
}
