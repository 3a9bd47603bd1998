/*
 * The pool of memory that devices may reach: see camkes/dma.h.
 *
 * Free regions are a list in order of addresses, each with its own size in front. The
 * first that holds what is wanted is cut; what comes back is joined with its neighbours.
 * Sizes are rounded to what a region's own head takes.
 */
#include <camkes/dma.h>

/* Generated: the pool and its size. */
extern char fusee_dma_pool[];
extern const size_t fusee_dma_bytes;

/* Written by the image's build: what makes an address in the pool a physical one. */
extern const uintptr_t fusee_dma_offset;

struct region {
    size_t bytes;
    struct region *next;
};

#define GRAIN sizeof(struct region)

static struct region *first;
static bool begun;

static void begin(void)
{
    if (!begun && fusee_dma_bytes >= GRAIN) {
        first = (struct region *)(void *)fusee_dma_pool;
        *first = (struct region){fusee_dma_bytes / GRAIN * GRAIN, NULL};
    }
    begun = true;
}

static size_t rounded(size_t size)
{
    size = size == 0 ? 1 : size;
    return size > SIZE_MAX - GRAIN ? SIZE_MAX / GRAIN * GRAIN : (size + GRAIN - 1) / GRAIN * GRAIN;
}

void *camkes_dma_alloc(size_t size, unsigned int align, bool cached)
{
    (void)cached;
    begin();
    uintptr_t to = align < GRAIN ? GRAIN : align;
    if ((to & (to - 1)) != 0) {
        return NULL;
    }
    size = rounded(size);
    for (struct region **link = &first; *link != NULL; link = &(*link)->next) {
        struct region *region = *link;
        uintptr_t start = ((uintptr_t)region + to - 1) & ~(to - 1);
        size_t before = start - (uintptr_t)region;
        if (before > region->bytes || size > region->bytes - before) {
            continue;
        }
        size_t after = region->bytes - before - size;
        struct region *rest = region->next;
        if (after != 0) {
            struct region *tail = (struct region *)(start + size);
            *tail = (struct region){after, rest};
            rest = tail;
        }
        if (before != 0) {
            *region = (struct region){before, rest};
        } else {
            *link = rest;
        }
        return (void *)start;
    }
    return NULL;
}

static bool touch(const struct region *left, const struct region *right)
{
    return left != NULL && right != NULL && (uintptr_t)left + left->bytes == (uintptr_t)right;
}

void camkes_dma_free(void *pointer, size_t size)
{
    size_t offset = (uintptr_t)pointer - (uintptr_t)fusee_dma_pool;
    if (pointer == NULL || offset >= fusee_dma_bytes || offset % GRAIN != 0) {
        return;
    }
    struct region *given = pointer, *left = NULL, *right = first;
    while (right != NULL && right < given) {
        left = right;
        right = right->next;
    }
    *given = (struct region){rounded(size), right};
    if (left == NULL) {
        first = given;
    } else {
        left->next = given;
    }
    if (touch(given, right)) {
        given->bytes += right->bytes;
        given->next = right->next;
    }
    if (touch(left, given)) {
        left->bytes += given->bytes;
        left->next = given->next;
    }
}

uintptr_t camkes_dma_get_paddr(void *pointer)
{
    uintptr_t offset = (uintptr_t)pointer - (uintptr_t)fusee_dma_pool;
    return offset < fusee_dma_bytes ? (uintptr_t)pointer + fusee_dma_offset : 0;
}
