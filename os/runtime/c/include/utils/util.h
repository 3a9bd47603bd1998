/* The few helpers that CAmkES components expect beside <camkes.h>. */
#pragma once

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define PAGE_SIZE_4K 4096
#define PAGE_BITS_4K 12

#ifndef MIN
#define MIN(a, b) ({ __typeof__(a) a_ = (a); __typeof__(b) b_ = (b); a_ < b_ ? a_ : b_; })
#endif
#ifndef MAX
#define MAX(a, b) ({ __typeof__(a) a_ = (a); __typeof__(b) b_ = (b); a_ > b_ ? a_ : b_; })
#endif
#define ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))
#define BIT(n) (1ul << (n))
#define ROUND_UP(n, to) (((n) + (to) - 1) / (to) * (to))
#define ROUND_DOWN(n, to) ((n) / (to) * (to))
#define IS_ALIGNED(n, bits) (((n) & (BIT(bits) - 1)) == 0)

#define UNUSED __attribute__((unused))
#define USED __attribute__((used))
#define WEAK __attribute__((weak))
#define PACKED __attribute__((packed))
#define NORETURN __attribute__((noreturn))
#define ALIGN(n) __attribute__((aligned(n)))
#define WARN_UNUSED_RESULT __attribute__((warn_unused_result))
#define CONST __attribute__((const))
#define PURE __attribute__((pure))
#define likely(x) __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect(!!(x), 0)
#define UNREACHABLE() __builtin_unreachable()

#define COMPILER_MEMORY_FENCE() __atomic_signal_fence(__ATOMIC_ACQ_REL)
#define COMPILER_MEMORY_ACQUIRE() __atomic_signal_fence(__ATOMIC_ACQUIRE)
#define COMPILER_MEMORY_RELEASE() __atomic_signal_fence(__ATOMIC_RELEASE)
#define THREAD_MEMORY_FENCE() __atomic_thread_fence(__ATOMIC_ACQ_REL)
#define THREAD_MEMORY_ACQUIRE() __atomic_thread_fence(__ATOMIC_ACQUIRE)
#define THREAD_MEMORY_RELEASE() __atomic_thread_fence(__ATOMIC_RELEASE)

#define INLINE inline
#define NOINLINE __attribute__((noinline))
#define DEPRECATED(why) __attribute__((deprecated(why)))
#define ERROR(why) __attribute__((error(why)))
#define NONNULL(...) __attribute__((nonnull(__VA_ARGS__)))
#define NONNULL_ALL __attribute__((nonnull))
#define RETURNS_NONNULL __attribute__((returns_nonnull))
#define MALLOC __attribute__((malloc))
#define COLD __attribute__((cold))
#define HOT __attribute__((hot))
#define VISIBLE __attribute__((externally_visible))
#define SECTION(name) __attribute__((section(name)))
#define CONSTRUCTOR(priority) __attribute__((constructor(priority)))
#define FALLTHROUGH __attribute__((fallthrough))

#define PAGE_ALIGN_4K(address) ((uintptr_t)(address) & ~(uintptr_t)(PAGE_SIZE_4K - 1))
#define PAGE_SIZE_2M (1ul << 21)
#define MASK(n) (BIT(n) - 1)
#define IS_POWER_OF_2(n) ((n) != 0 && ((n) & ((n) - 1)) == 0)
#define ALIGN_UP(n, to) ROUND_UP(n, to)
#define ALIGN_DOWN(n, to) ROUND_DOWN(n, to)
#define DIV_ROUND_UP(n, by) (((n) + (by) - 1) / (by))
#define INRANGE(low, n, high) ((low) <= (n) && (n) <= (high))
#define OFFSETOF(type, member) __builtin_offsetof(type, member)
#define CONTAINER_OF(pointer, type, member) \
    ((type *)(void *)((char *)(pointer) - __builtin_offsetof(type, member)))
#define STRINGIFY(text) #text
#define XSTRINGIFY(text) STRINGIFY(text)
#define compile_time_assert(name, condition) _Static_assert(condition, #name)
#define SWAP(a, b) do { __typeof__(a) swap_ = (a); (a) = (b); (b) = swap_; } while (0)

#define KiB 1024ul
#define MiB (1024ul * KiB)
#define SIZE_BITS_TO_BYTES(bits) (1ul << (bits))
#define BYTES_TO_4K_PAGES(bytes) DIV_ROUND_UP(bytes, PAGE_SIZE_4K)

#include <utils/time.h>
#include <utils/zf_log.h>
