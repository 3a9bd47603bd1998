/*
 * What portable CAmkES components use of seL4's own interface.
 *
 * A capability pointer is a slot of the component's own table: what generated functions
 * such as `event_notification()` answer. Capabilities cannot be made, copied or taken away.
 */
#pragma once

#include <autoconf.h>
#include <fusee.h>
#include <stdbool.h>

typedef fusee_word seL4_Word;
typedef intptr_t seL4_SWord;
typedef fusee_word seL4_CPtr;
typedef fusee_word seL4_NodeId;
typedef fusee_word seL4_PAddr;
typedef fusee_word seL4_Domain;
typedef uint64_t seL4_Time;
typedef uint8_t seL4_Uint8;
typedef uint16_t seL4_Uint16;
typedef uint32_t seL4_Uint32;
typedef uint64_t seL4_Uint64;
typedef int8_t seL4_Int8;
typedef int16_t seL4_Int16;
typedef int32_t seL4_Int32;
typedef int64_t seL4_Int64;
typedef int8_t seL4_Bool;

typedef enum {
    seL4_NoError = 0,
    seL4_InvalidArgument,
    seL4_InvalidCapability,
    seL4_IllegalOperation,
    seL4_RangeError,
    seL4_AlignmentError,
    seL4_FailedLookup,
    seL4_TruncatedMessage,
    seL4_DeleteFirst,
    seL4_RevokeFirst,
    seL4_NotEnoughMemory,
    seL4_NumErrors
} seL4_Error;

#define seL4_True 1
#define seL4_False 0
#define seL4_CapNull ((seL4_CPtr)0xffff)
#define seL4_WordBits __riscv_xlen
#define seL4_PageBits 12
#define seL4_MsgMaxLength FUSEE_MESSAGE_WORDS
#define seL4_MaxPrio 255
#define seL4_MinPrio 0

/* The head of a message: a label and a length in words. */
typedef struct {
    seL4_Word words[1];
} seL4_MessageInfo_t;

static inline seL4_MessageInfo_t seL4_MessageInfo_new(seL4_Word label, seL4_Word unwrapped, seL4_Word extra,
                                                      seL4_Word length)
{
    return (seL4_MessageInfo_t){{label << 12 | (unwrapped & 7) << 9 | (extra & 3) << 7 | (length & 127)}};
}

static inline seL4_Word seL4_MessageInfo_get_label(seL4_MessageInfo_t info)
{
    return info.words[0] >> 12;
}

static inline seL4_Word seL4_MessageInfo_get_length(seL4_MessageInfo_t info)
{
    return info.words[0] & 127;
}

static inline void seL4_Yield(void)
{
    fusee_yield();
}

/* Waits for a notification. Signals carry no badge of their own here: whose it is, its slot says. */
static inline seL4_MessageInfo_t seL4_Wait(seL4_CPtr notification, seL4_Word *badge)
{
    struct fusee_answer answer = fusee_operation(FUSEE_WAIT, notification);
    if (answer.error != 0) {
        fusee_failed(answer.error);
    }
    if (badge != NULL) {
        *badge = answer.error == 0;
    }
    return seL4_MessageInfo_new(0, 0, 0, 0);
}

/* The same without waiting: the badge is 0 if there was no signal. */
static inline seL4_MessageInfo_t seL4_Poll(seL4_CPtr notification, seL4_Word *badge)
{
    struct fusee_answer answer = fusee_operation(FUSEE_POLL, notification);
    if (badge != NULL) {
        *badge = answer.error == 0 && answer.value != 0;
    }
    return seL4_MessageInfo_new(0, 0, 0, 0);
}

static inline void seL4_Signal(seL4_CPtr notification)
{
    struct fusee_answer answer = fusee_operation(FUSEE_SIGNAL, notification);
    if (answer.error != 0) {
        fusee_failed(answer.error);
    }
}

/* The component's console stands for the kernel's. */
static inline void seL4_DebugPutChar(char c)
{
    fusee_write_console(&c, 1);
}

static inline void seL4_DebugPutString(const char *text)
{
    fusee_write_console(text, __builtin_strlen(text));
}

/* Threads have the names of the description. */
static inline void seL4_DebugNameThread(seL4_CPtr thread, const char *name)
{
    (void)thread;
    (void)name;
}

/* Nothing can stop the machine; this ends what runs, as a fault. */
static inline void seL4_DebugHalt(void)
{
    __asm__ volatile("ebreak");
}
