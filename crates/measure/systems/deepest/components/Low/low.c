/* Inside whenever it can be. */
#include <camkes.h>

int run(void)
{
    for (;;) {
        deep_go();
    }
}
