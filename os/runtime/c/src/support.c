/*
 * What a protection domain needs once: the last error and the end.
 */
#include <fusee.h>

extern _Thread_local int fusee_error;

/* As start.S has it, which counts what assembly sees. */
extern _Thread_local struct {
    uint32_t calls;
    uint32_t error;
    uintptr_t place;
} fusee_refusals;

__attribute__((noinline)) void fusee_failed(fusee_word error)
{
    fusee_error = (int)error;
    fusee_refusals.calls++;
    fusee_refusals.error = (uint32_t)error;
    fusee_refusals.place = (uintptr_t)__builtin_return_address(0);
}

int fusee_take_error(void)
{
    int error = fusee_error;
    fusee_error = 0;
    return error;
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
