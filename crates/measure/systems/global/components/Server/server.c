/* A server that does nothing, or measures the way to the gate below. */
#include <camkes.h>
#include "measure.h"

void echo_empty(void)
{
}

uint64_t echo_stamp(void)
{
    return fusee_now();
}

uint64_t echo_late(void)
{
    disturb();
    return fusee_now();
}

uint64_t echo_way_in(void)
{
    disturb();
    uint64_t before = fusee_now();
    return below_stamp() - before - 1;
}

uint64_t echo_way_back(void)
{
    uint64_t inside = below_late();
    return fusee_now() - inside - 1;
}
