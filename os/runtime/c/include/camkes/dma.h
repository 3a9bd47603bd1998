/*
 * Memory that devices may reach: a pool as large as the component's attribute `dma_pool`.
 *
 * All threads of a component share it; they must not allocate at the same time. RISC-V
 * machines keep their caches coherent here, so `cached` changes nothing.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sel4/sel4.h>
#include <utils/util.h>

/* `size` bytes at a multiple of `align`, a power of two (0: any); NULL: the pool is used up. */
void *camkes_dma_alloc(size_t size, unsigned int align, bool cached);

/* Gives back what camkes_dma_alloc gave, with the same size. */
void camkes_dma_free(void *pointer, size_t size);

/* Where a device finds what lies there; 0: not in the pool. The whole pool is contiguous for devices, too. */
uintptr_t camkes_dma_get_paddr(void *pointer);

static inline void *camkes_dma_alloc_page(void)
{
    return camkes_dma_alloc(PAGE_SIZE_4K, PAGE_SIZE_4K, false);
}

static inline void camkes_dma_free_page(void *pointer)
{
    camkes_dma_free(pointer, PAGE_SIZE_4K);
}
