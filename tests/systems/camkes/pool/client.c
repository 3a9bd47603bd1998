#include <camkes.h>
#include <stdio.h>
#include <camkes/dma.h>

int run(void)
{
    void *blocks[20];
    int count = 0;
    while (count < 20 && (blocks[count] = camkes_dma_alloc(4096, 4096, false)) != NULL) {
        memset(blocks[count], count, 4096);
        count++;
    }
    printf("%d blocks\n", count);
    for (int i = count - 1; i >= 0; i--) {
        camkes_dma_free(blocks[(i * 7) % count], 4096);
    }
    camkes_dma_free(NULL, 1);
    void *small = camkes_dma_alloc(100, 64, false);
    printf("aligned: %d\n", (uintptr_t)small % 64 == 0);
    camkes_dma_free(small, 100);
    printf("whole: %d\n", camkes_dma_alloc(16 * 4096, 0, true) != NULL);
    printf("more: %d\n", camkes_dma_alloc(1, 0, false) != NULL);
    return 0;
}
