#include <camkes.h>
#include <camkes/dma.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* The machine's memory, where devices find what they are told to read and write. */
#define MEMORY 0x80000000u
#define MEMORY_BYTES 0x10000000u

int run(void)
{
    char *text = camkes_dma_alloc(16, 16, false);
    char *whole = camkes_dma_alloc(64, 4096, false);
    char other, name[5] = "";
    if (text == NULL || whole == NULL) {
        printf("the pool is too small\n");
        return 1;
    }
    uintptr_t where = camkes_dma_get_paddr(whole);
    uint32_t magic = *(volatile uint32_t *)device;
    memcpy(name, &magic, 4);
    printf("the device is: %s\n", name);
    printf("in memory: %d\n", where - MEMORY < MEMORY_BYTES);
    printf("on a page of its own: %d\n", where % 4096 == 0);
    printf("both in one piece: %d\n",
           camkes_dma_get_paddr(text) - where == (uintptr_t)text - (uintptr_t)whole);
    printf("outside: %d\n", camkes_dma_get_paddr(&other) == 0);
    return 0;
}
