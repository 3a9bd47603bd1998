/* What the crank task knows about the engine's motion. */
#pragma once
#include <stdint.h>

typedef struct engine_state {
    uint32_t speed_rpm;
    uint32_t angle_millidegrees;
    uint64_t last_tooth_us;
    uint32_t synchronised;
} engine_state_t;
