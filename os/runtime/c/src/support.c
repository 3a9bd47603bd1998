/*
 * What a protection domain needs once: the last error, the heap's memory, the end.
 */
#include <fusee.h>
#include <errno.h>

extern _Thread_local int fusee_error;

void fusee_failed(fusee_word error)
{
    fusee_error = (int)error;
}

int fusee_take_error(void)
{
    int error = fusee_error;
    fusee_error = 0;
    return error;
}

/* The linker script lays the heap out; its size is the attribute `heap_size`. */
extern char __heap_start[], __heap_end[];

void *sbrk(ptrdiff_t change)
{
    static char *end = __heap_start;
    char *old = end;
    if (change > __heap_end - end || change < __heap_start - end) {
        errno = ENOMEM;
        return (void *)-1;
    }
    end += change;
    return old;
}

/* A fault, so that the kernel says where. */
__attribute__((noreturn)) void _exit(int status)
{
    (void)status;
    for (;;) {
        __asm__ volatile("ebreak");
    }
}

__attribute__((noreturn)) void abort(void)
{
    _exit(1);
}
