/*
 * Counting cycles, with the names of seL4's library. The count is the clock that fusee_now()
 * reads; other events are not counted.
 */
#pragma once

#include <fusee.h>
#include <stdint.h>

typedef uint64_t ccnt_t;

static inline void sel4bench_init(void)
{
}

static inline void sel4bench_destroy(void)
{
}

static inline ccnt_t sel4bench_get_cycle_count(void)
{
    return fusee_now();
}

#define SEL4BENCH_READ_CCNT(variable) ((variable) = sel4bench_get_cycle_count())
