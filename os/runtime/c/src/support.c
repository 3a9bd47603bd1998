/*
 * What a protection domain needs once: the last error and the end.
 */
#include <camkes/error.h>
#include <fusee/message.h>
#include <fusee/refusals.h>
#include <stdlib.h>

/* As start.S has it, which counts what assembly sees. */
extern _Thread_local struct {
    uint32_t calls;
    _Alignas(16) struct {
        uint32_t error;
        _Alignas(8) uintptr_t place;
    } last[FUSEE_REFUSALS];
} fusee_refusals;

__attribute__((noinline)) void fusee_failed(fusee_word error)
{
    fusee_error = (int)error;
    unsigned at = fusee_refusals.calls++ % FUSEE_REFUSALS;
    fusee_refusals.last[at].error = (uint32_t)error;
    fusee_refusals.last[at].place = (uintptr_t)__builtin_return_address(0);
}

int fusee_take_error(void)
{
    int error = fusee_error;
    fusee_error = 0;
    return error;
}

/* What a number of fusee_take_error() is in CAmkES's words. */
static camkes_error_t described(const char *instance, const char *interface, fusee_word error)
{
    camkes_error_t described = {.type = CE_SYSCALL_FAILED, .instance = instance, .interface = interface};
    described.filename = "?";
    described.description = "the kernel refused the invocation, or the callee failed";
    described.syscall = FUSEE_INVOKE;
    described.error = (int)error;
    switch (error) {
    case FUSEE_TOO_LONG:
        described.type = CE_BUFFER_LENGTH_EXCEEDED;
        described.description = "the arguments or results are longer than the buffer";
        described.current_length = described.target_length = 0;
        break;
    case FUSEE_BAD_MESSAGE:
        described.type = CE_MALFORMED_RPC_PAYLOAD;
        described.description = "the message is not what the method takes or gives";
        described.length = described.current_index = 0;
        break;
    case FUSEE_NO_MEMORY:
        described.type = CE_ALLOCATION_FAILURE;
        described.description = "the heap is used up";
        described.alloc_bytes = 0;
        break;
    default:
        break;
    }
    return described;
}

void fusee_handle(camkes_error_handler_t handler, const char *instance, const char *interface, fusee_word error)
{
    if (handler == NULL) {
        return;
    }
    camkes_error_t details = described(instance, interface, error);
    camkes_error_action_t action = handler(&details);
    if (action == CEA_ABORT || action == CEA_HALT) {
        abort();
    }
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
