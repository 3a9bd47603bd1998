/* Caches without a line of the kernel's: what a path takes at most, it takes from there. */
#pragma once

#include <stdint.h>

#if __riscv_xlen == 32

/* All lines of the caches of `rtl-vexriscv`: 4 KiB each, of 32 bytes. */
#define LINES 128
#define LINE 32

/* How many times as long everything lasts. */
#define SLOW 20

__attribute__((noinline)) static void cold(void)
{
    static volatile uint8_t other[LINES * LINE];
    for (unsigned line = 0; line < LINES; line++) {
        (void)other[line * LINE];
    }
    /* An instruction in each line, one after the other. */
    __asm__ volatile(".balign 32\n"
                     ".rept 128\n"
                     "j 1f\n"
                     ".balign 32\n"
                     "1:\n"
                     ".endr\n");
}

#else

#define SLOW 1

/* Where instructions are counted nothing depends on it. */
static inline void cold(void)
{
}

#endif
