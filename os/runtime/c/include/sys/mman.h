/*
 * Memory as POSIX has it, as far as it makes sense where nothing is ever paged out.
 *
 * All of a component's memory is there from the start and stays: advice is taken and
 * changes nothing. mmap() gives anonymous memory from the heap, in whole pages.
 */
#pragma once

#include <stddef.h>
#include <sys/types.h>

#define PROT_NONE 0
#define PROT_READ 1
#define PROT_WRITE 2
#define PROT_EXEC 4

#define MAP_SHARED 1
#define MAP_PRIVATE 2
#define MAP_FIXED 16
#define MAP_ANONYMOUS 32
#define MAP_ANON MAP_ANONYMOUS
#define MAP_FAILED ((void *)-1)

#define MADV_NORMAL 0
#define MADV_RANDOM 1
#define MADV_SEQUENTIAL 2
#define MADV_WILLNEED 3
#define MADV_DONTNEED 4
#define POSIX_MADV_NORMAL MADV_NORMAL
#define POSIX_MADV_RANDOM MADV_RANDOM
#define POSIX_MADV_SEQUENTIAL MADV_SEQUENTIAL
#define POSIX_MADV_WILLNEED MADV_WILLNEED
#define POSIX_MADV_DONTNEED MADV_DONTNEED

#define MCL_CURRENT 1
#define MCL_FUTURE 2
#define MS_ASYNC 1
#define MS_INVALIDATE 2
#define MS_SYNC 4

void *mmap(void *wanted, size_t bytes, int protection, int flags, int file, off_t offset);
int munmap(void *address, size_t bytes);
int mprotect(void *address, size_t bytes, int protection);
int madvise(void *address, size_t bytes, int advice);
int mincore(void *address, size_t bytes, unsigned char *present);
int mlock(const void *address, size_t bytes);
int munlock(const void *address, size_t bytes);
int mlockall(int flags);
int munlockall(void);
int msync(void *address, size_t bytes, int flags);
