#include <camkes.h>
#include <camkes/dma.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* The machine's firmware configuration: its fields and the address register are big-endian. */
#define READ 2u
#define SELECT 8u
#define SIGNATURE 0u

struct access {
    uint32_t control;
    uint32_t length;
    uint64_t address;
};

int run(void)
{
    char *text = camkes_dma_alloc(16, 16, false);
    volatile struct access *access = camkes_dma_alloc(sizeof *access, 4096, false);
    char other;
    if (text == NULL || access == NULL) {
        printf("the pool is too small\n");
        return 1;
    }
    memset(text, '?', 16);
    access->control = __builtin_bswap32(SIGNATURE << 16 | SELECT | READ);
    access->length = __builtin_bswap32(4);
    access->address = __builtin_bswap64(camkes_dma_get_paddr(text));
    __sync_synchronize();
    uintptr_t where = camkes_dma_get_paddr((void *)(uintptr_t)access);
    volatile uint32_t *address = (volatile uint32_t *)((volatile char *)firmware + 16);
    address[0] = __builtin_bswap32((uint32_t)((uint64_t)where >> 32));
    address[1] = __builtin_bswap32((uint32_t)where);
    while (access->control != 0) {
    }
    __sync_synchronize();
    printf("the device wrote: %.5s\n", text);
    printf("both in one piece: %d\n",
           camkes_dma_get_paddr(text) - where == (uintptr_t)text - (uintptr_t)access);
    printf("outside: %d\n", camkes_dma_get_paddr(&other) == 0);
    return 0;
}
