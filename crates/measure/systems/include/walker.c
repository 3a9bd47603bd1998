/* Keeps the memory busy, for ever. */
#include <camkes.h>
#include "measure.h"

int run(void)
{
    for (;;) {
        walk();
    }
}
