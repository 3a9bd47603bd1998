/*
 * What a protection domain needs once: the last error and the end.
 */
#include <fusee.h>

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
