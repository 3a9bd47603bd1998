/*
 * The configuration that CAmkES programs ask for with `#ifdef CONFIG_...`: as of seL4's
 * kernel for RISC-V with scheduling contexts, on QEMU's `virt` machine with one core.
 */
#pragma once

#define CONFIG_ARCH_RISCV 1
#if __riscv_xlen == 64
#define CONFIG_ARCH_RISCV64 1
#define CONFIG_SEL4_ARCH "riscv64"
#else
#define CONFIG_ARCH_RISCV32 1
#define CONFIG_SEL4_ARCH "riscv32"
#endif
#define CONFIG_ARCH "riscv"
#define CONFIG_WORD_SIZE __riscv_xlen
#define CONFIG_PLAT "qemu-riscv-virt"
#define CONFIG_PLAT_QEMU_RISCV_VIRT 1
#define CONFIG_KERNEL_MCS 1
#define CONFIG_MAX_NUM_NODES 1
#define CONFIG_NUM_PRIORITIES 256
#define CONFIG_DEBUG_BUILD 1
#define CONFIG_PRINTING 1
#define CONFIG_CAMKES_ERROR_HANDLER_CONFIGURABLE 1
#define CONFIG_CAMKES_DEFAULT_STACK_SIZE 16384
#define CONFIG_CAMKES_DEFAULT_HEAP_SIZE 1048576
