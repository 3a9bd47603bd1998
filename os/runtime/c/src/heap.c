/*
 * malloc and free in constant time, for threads that share a component.
 *
 * Blocks come in sizes of 16 bytes times a power of two. A freed block waits in the
 * list of its size and is handed out again from there; memory that was never used
 * comes from a mark that only rises. No block is ever split or joined, so every call
 * takes the same few steps. That costs memory: up to half of a block, and what one size
 * has used no other gets.
 *
 * Threads may preempt each other anywhere here. A list's head is a block's number with
 * a count of changes beside it and is exchanged in one step, so that no lock is needed;
 * whoever is interrupted in between tries again. The count keeps a head that was taken
 * and put back meanwhile from passing for the same.
 */
#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* The smallest block, and what lies before each block's bytes. */
#define GRAIN 16
#define SIZES 24

struct block {
    uintptr_t size;  /* which list it belongs to */
    uintptr_t next;  /* number of the next free block of its size, plus one */
};

_Static_assert(sizeof(struct block) <= GRAIN, "a header takes one grain");

extern char __heap_start[], __heap_end[];

/* Half of a word for the block's number, half for the count. */
#define HALF (sizeof(uintptr_t) * 4)
#define LOW (((uintptr_t)1 << HALF) - 1)

static uintptr_t heads[SIZES];
static uintptr_t used; /* bytes below the mark */

/* The requests for which the heap had no room, by stack; read when a run is over. */
_Thread_local uint32_t fusee_heap_denied;

static struct block *numbered(uintptr_t number)
{
    return (struct block *)(void *)(__heap_start + (number - 1) * GRAIN);
}

static struct block *take(uintptr_t size)
{
    uintptr_t head = __atomic_load_n(&heads[size], __ATOMIC_ACQUIRE);
    while ((head & LOW) != 0) {
        struct block *block = numbered(head & LOW);
        uintptr_t next = (((head >> HALF) + 1) << HALF) | block->next;
        if (__atomic_compare_exchange_n(&heads[size], &head, next, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
            return block;
        }
    }
    return NULL;
}

static struct block *fresh(uintptr_t size)
{
    uintptr_t bytes = GRAIN + ((uintptr_t)GRAIN << size);
    uintptr_t room = (uintptr_t)(__heap_end - __heap_start);
    uintptr_t at = __atomic_load_n(&used, __ATOMIC_RELAXED);
    do {
        if (bytes > room || at > room - bytes || (at / GRAIN + 1) > LOW) {
            return NULL;
        }
    } while (!__atomic_compare_exchange_n(&used, &at, at + bytes, 0, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED));
    struct block *block = (struct block *)(void *)(__heap_start + at);
    block->size = size;
    return block;
}

void *malloc(size_t bytes)
{
    uintptr_t size = 0;
    while (size < SIZES && ((size_t)GRAIN << size) < bytes) {
        size++;
    }
    struct block *block = size == SIZES ? NULL : take(size);
    if (block == NULL && size < SIZES) {
        block = fresh(size);
    }
    if (block == NULL) {
        fusee_heap_denied++;
        errno = ENOMEM;
        return NULL;
    }
    return (char *)block + GRAIN;
}

void free(void *pointer)
{
    if (pointer == NULL) {
        return;
    }
    struct block *block = (struct block *)(void *)((char *)pointer - GRAIN);
    uintptr_t size = block->size;
    if (size >= SIZES) {
        return; /* not from here, or overwritten */
    }
    uintptr_t number = (uintptr_t)((char *)block - __heap_start) / GRAIN + 1;
    uintptr_t head = __atomic_load_n(&heads[size], __ATOMIC_ACQUIRE);
    uintptr_t next;
    do {
        block->next = head & LOW;
        next = (((head >> HALF) + 1) << HALF) | number;
    } while (!__atomic_compare_exchange_n(&heads[size], &head, next, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE));
}

void *calloc(size_t count, size_t bytes)
{
    size_t total;
    if (__builtin_mul_overflow(count, bytes, &total)) {
        errno = ENOMEM;
        return NULL;
    }
    void *pointer = malloc(total);
    /* Compilers take `malloc` and `memset` together for `calloc`, and this would call itself. */
    __asm__ volatile("" : "+r"(pointer));
    return pointer == NULL ? NULL : memset(pointer, 0, total);
}

void *realloc(void *pointer, size_t bytes)
{
    if (pointer == NULL) {
        return malloc(bytes);
    }
    struct block *block = (struct block *)(void *)((char *)pointer - GRAIN);
    size_t room = block->size < SIZES ? (size_t)GRAIN << block->size : 0;
    if (bytes <= room) {
        return pointer;
    }
    void *larger = malloc(bytes);
    if (larger != NULL) {
        memcpy(larger, pointer, room);
        free(pointer);
    }
    return larger;
}
