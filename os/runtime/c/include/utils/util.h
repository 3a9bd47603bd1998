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

#define ZF_LOGE(...) (printf(__VA_ARGS__), (void)printf("\n"))
#define ZF_LOGW(...) ZF_LOGE(__VA_ARGS__)
#define ZF_LOGI(...) ((void)0)
#define ZF_LOGD(...) ((void)0)
#define ZF_LOGF(...) (ZF_LOGE(__VA_ARGS__), abort())
#define ZF_LOGF_IF(condition, ...) ((condition) ? (ZF_LOGE(__VA_ARGS__), abort()) : (void)0)
#define ZF_LOGE_IF(condition, ...) ((condition) ? ZF_LOGE(__VA_ARGS__) : (void)0)
