// What every board around the VexRiscv Linux core does to it.

#include "VVexRiscv.h"
#include "verilated.h"

#include <cstdint>

// A bus's waiting: how long until the beat that is asked for is answered.
struct Waiting {
    unsigned first, further, left = 0;
    bool counting = false;

    Waiting(unsigned first, unsigned further) : first(first), further(further) {}

    bool answer(bool asked, bool begins) {
        if (!asked) return false;
        if (!counting) {
            counting = true;
            left = begins ? first : further;
        }
        if (left-- > 0) return false;
        counting = false;
        return true;
    }
};

static void reset(VVexRiscv &core, uint32_t start) {
    core.externalResetVector = start;
    core.reset = 1;
    for (int i = 0; i < 4; i++) {
        core.clk = 0; core.eval();
        core.clk = 1; core.eval();
    }
    core.reset = 0;
}
