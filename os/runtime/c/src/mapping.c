/* Memory as POSIX has it: see sys/mman.h. */
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define PAGE ((uintptr_t)4096)

/* A protection domain's addresses. */
extern char __executable_start[];
#define DOMAIN_BYTES ((uintptr_t)16 << 20)

static int refused(int why)
{
    errno = why;
    return -1;
}

/* 0, or why a range of memory is none. */
static int range(const void *address, size_t bytes)
{
    uintptr_t at = (uintptr_t)address - (uintptr_t)__executable_start;
    if ((uintptr_t)address % PAGE != 0) {
        return EINVAL;
    }
    return at >= DOMAIN_BYTES || bytes > DOMAIN_BYTES - at ? ENOMEM : 0;
}

static int taken(const void *address, size_t bytes)
{
    int why = range(address, bytes);
    return why == 0 ? 0 : refused(why);
}

/* Where the block of the heap lies that a mapping is in: in the word before the mapping. */
static void **block_of(void *mapping)
{
    return (void **)mapping - 1;
}

void *mmap(void *wanted, size_t bytes, int protection, int flags, int file, off_t offset)
{
    (void)wanted;
    (void)file;
    (void)offset;
    if (bytes == 0 || (flags & MAP_FIXED) != 0 || (protection & PROT_EXEC) != 0) {
        errno = EINVAL;
        return MAP_FAILED;
    }
    if ((flags & MAP_ANONYMOUS) == 0) {
        errno = ENODEV; /* there are no files */
        return MAP_FAILED;
    }
    size_t room = (bytes + PAGE - 1) / PAGE * PAGE;
    void *block = bytes > SIZE_MAX - 3 * PAGE ? NULL : malloc(room + PAGE + sizeof(void *));
    if (block == NULL) {
        errno = ENOMEM;
        return MAP_FAILED;
    }
    void *mapping = (void *)(((uintptr_t)block + sizeof(void *) + PAGE - 1) / PAGE * PAGE);
    *block_of(mapping) = block;
    return memset(mapping, 0, room);
}

int munmap(void *address, size_t bytes)
{
    int why = bytes == 0 ? EINVAL : range(address, bytes);
    if (why != 0) {
        return refused(why == ENOMEM ? EINVAL : why);
    }
    free(*block_of(address));
    return 0;
}

int mprotect(void *address, size_t bytes, int protection)
{
    /* Rights are the build's to give. */
    return protection == (PROT_READ | PROT_WRITE) ? taken(address, bytes) : refused(EACCES);
}

int madvise(void *address, size_t bytes, int advice)
{
    bool known = advice >= MADV_NORMAL && advice <= MADV_DONTNEED;
    return known ? taken(address, bytes) : refused(EINVAL);
}

int mincore(void *address, size_t bytes, unsigned char *present)
{
    int why = range(address, bytes);
    size_t pages = (bytes + PAGE - 1) / PAGE;
    if (why != 0) {
        return refused(why);
    }
    uintptr_t at = (uintptr_t)present - (uintptr_t)__executable_start;
    if (at >= DOMAIN_BYTES || pages > DOMAIN_BYTES - at) {
        return refused(EFAULT);
    }
    memset(present, 1, pages);
    return 0;
}

int mlock(const void *address, size_t bytes)
{
    return taken(address, bytes);
}

int munlock(const void *address, size_t bytes)
{
    return taken(address, bytes);
}

int mlockall(int flags)
{
    return flags == 0 || (flags & ~(MCL_CURRENT | MCL_FUTURE)) != 0 ? refused(EINVAL) : 0;
}

int munlockall(void)
{
    return 0;
}

int msync(void *address, size_t bytes, int flags)
{
    return (flags & ~(MS_ASYNC | MS_INVALIDATE | MS_SYNC)) != 0 ? refused(EINVAL) : taken(address, bytes);
}
