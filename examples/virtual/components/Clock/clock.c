#include <camkes.h>

/* One interrupt of the timer; the rest of a job's time is the kernel's and this code's. */
int run(void)
{
    fusee_compute((uintptr_t)micros * 800);
    tick_emit();
    return 0;
}
