/* Measures the next level, while seven are held. */
#include <camkes.h>
#include "measure.h"

void up_go(void)
{
    struct path level = {0}, invoke = {0}, back = {0};
    for (int run = 0; run < @runs@; run++) {
        disturb();
        uint64_t before = fusee_now();
        down_empty();
        count(&level, fusee_now() - before - 1);
        disturb();
        before = fusee_now();
        uint64_t inside = down_stamp();
        count(&invoke, inside - before - 1);
        inside = down_late();
        uint64_t after = fusee_now();
        count(&back, after - inside - 1);
    }
    print_path("round_trip.nested_level", &level);
    print_path("invoke.nested_level", &invoke);
    print_path("return.nested_level", &back);
}
