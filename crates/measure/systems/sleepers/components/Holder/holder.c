/* Runs whenever it can. */
#include <camkes.h>

int run(void)
{
    for (;;) {
        sleeping_keep();
    }
}
