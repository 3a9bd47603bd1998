/* Comes when the gate is held. */
#include <camkes.h>
#include "measure.h"

#define RUNS @runs@

static struct path round_trip, block, handoff;

int run(void)
{
    if (round_trip.runs == RUNS) {
        return 0;
    }
    disturb();
    uint64_t before = fusee_now();
    held_touch();
    uint64_t after = fusee_now();
    if (held_last(0) == 0) {
        return 0;
    }
    uint64_t resumed = held_last(1), left = held_last(2), entered = held_last(3);
    count(&round_trip, after - before - 1 - (left - resumed));
    count(&block, resumed - before - 1);
    count(&handoff, entered - left - 1);
    if (round_trip.runs == RUNS) {
        print_path("round_trip.@protocol@_contended@kind@", &round_trip);
        print_path("block.@protocol@@kind@", &block);
        print_path("handoff.@protocol@@kind@", &handoff);
    }
    return 0;
}
