#include <camkes.h>

/* Behind one gate: whoever is inside keeps others out. */

void data_read(void)
{
    fusee_compute(2000000 - 10000);
}

void data_write(void)
{
    fusee_compute(6000000 - 10000);
}
