/* One random system call: any operation, slot, method, length and arguments, likely ones more often. */
#pragma once

#include <fusee.h>

static uint64_t draw(uint64_t *state, int seed)
{
    uint64_t x = *state + 0x9e3779b97f4a7c15ULL * (uint64_t)(seed + 1);
    *state = x;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
    return x ^ (x >> 31);
}

/* Mostly small, sometimes anything. */
static fusee_word number(uint64_t *state, int seed, unsigned small)
{
    uint64_t x = draw(state, seed);
    return (fusee_word)(x % 16 == 0 ? x : (x >> 8) % small);
}

static void random_call(uint64_t *state, int seed)
{
    uint64_t kind = draw(state, seed) % 1000;
    if (kind == 0) {
        __asm__ volatile(".word 0");
    } else if (kind == 1) {
        *(volatile int *)(uintptr_t)draw(state, seed) = 1;
    }
    fusee_word operation = number(state, seed, 11);
    fusee_word selector = number(state, seed, 8) | (number(state, seed, 3) << 16);
    fusee_word words = number(state, seed, 125);
    fusee_word first = (fusee_word)draw(state, seed);
    register fusee_word a7 __asm__("a7") = operation;
    register fusee_word a6 __asm__("a6") = selector;
    register fusee_word t0 __asm__("t0") = words;
    register fusee_word a0 __asm__("a0") = first;
    __asm__ volatile("ecall"
                     : "+r"(a7), "+r"(a6), "+r"(t0), "+r"(a0)
                     :
                     : "a1", "a2", "a3", "a4", "a5", "t1", "t2", "t3", "t4", "t5", "t6", "memory");
}
