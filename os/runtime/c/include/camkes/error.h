/*
 * Failures of generated code: CAmkES's error model.
 *
 * A failed invocation returns zeros, and fusee_take_error() says why. A component that
 * registers a handler, for one interface or for all, has it called with what went wrong
 * first; its answer says what becomes of the thread. There is nothing to halt but the
 * thread's invocation, so CEA_HALT does what CEA_ABORT does: a fault, with its place.
 */
#pragma once

#include <autoconf.h>
#include <fusee.h>
#include <stdbool.h>

/* What went wrong. */
typedef enum {
    CE_NO_ERROR = 0,
    CE_BUFFER_LENGTH_EXCEEDED, /* the arguments or results do not fit the message */
    CE_INVALID_METHOD_INDEX,   /* the interface has no such method */
    CE_MALFORMED_RPC_PAYLOAD,  /* the message is not what the method takes or gives */
    CE_SYSCALL_FAILED,         /* the kernel refused, or the callee is dead or crashed */
    CE_ALLOCATION_FAILURE,     /* the heap is used up */
    CE_OVERFLOW,               /* a counter is at its end */
} camkes_error_type_t;

/* The same with its details; which of them are valid, `type` says. */
typedef struct {
    camkes_error_type_t type;
    const char *instance;  /* the component's name, never NULL */
    const char *interface; /* the interface's name; NULL: none in particular */
    const char *filename;
    long lineno;
    const char *description; /* never NULL */
    union {
        struct { /* CE_BUFFER_LENGTH_EXCEEDED, in bytes */
            unsigned current_length;
            unsigned target_length;
        };
        struct { /* CE_INVALID_METHOD_INDEX */
            uint64_t lower_bound;
            uint64_t upper_bound;
            uint64_t invalid_index;
        };
        struct { /* CE_MALFORMED_RPC_PAYLOAD, in bytes */
            unsigned length;
            unsigned current_index;
        };
        struct { /* CE_SYSCALL_FAILED: operation and error number of <fusee.h> */
            int syscall;
            int error;
        };
        struct { /* CE_ALLOCATION_FAILURE; 0: not known */
            size_t alloc_bytes;
        };
    };
} camkes_error_t;

/* What is to become of the thread. */
typedef enum {
    CEA_INVALID = -1, /* no answer */
    CEA_DISCARD,      /* go back to who called, with zeros */
    CEA_IGNORE,       /* the same: there is nothing behind a failed operation to go on with */
    CEA_ABORT,        /* a fault */
    CEA_HALT,         /* the same */
} camkes_error_action_t;

typedef camkes_error_action_t (*camkes_error_handler_t)(camkes_error_t *);

/* Registers a handler for all interfaces without one of their own; NULL: none. Answers the one before. */
camkes_error_handler_t camkes_register_error_handler(camkes_error_handler_t handler);

/* Called by generated code: asks a handler about an error that was counted, and does what it answers. */
void fusee_handle(camkes_error_handler_t handler, const char *instance, const char *interface, fusee_word error);
