#include <camkes.h>
#include <stdio.h>
#include <errno.h>
#include <sys/mman.h>
#include <unistd.h>

static char page[8192] __attribute__((aligned(4096)));

int run(void)
{
    char *pages = mmap(NULL, 6000, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    printf("%d, %d\n", pages != MAP_FAILED && (uintptr_t)pages % 4096 == 0, pages[5999]);
    printf("%d\n", munmap(pages, 6000));
    printf("%d, %d\n", madvise(page, sizeof page, MADV_WILLNEED), madvise(page + 1, 1, MADV_NORMAL));
    printf("%d\n", errno == EINVAL);
    unsigned char present[2] = {0};
    printf("%d: %d %d\n", mincore(page, sizeof page, present), present[0], present[1]);
    printf("%d %d\n", mlock(page, 10), munlockall());
    printf("process %d of %d\n", (int)getpid(), (int)getppid());
    return 0;
}
