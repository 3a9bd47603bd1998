/* What portable CAmkES components use of seL4's own interface. */
#pragma once

#include <fusee.h>

typedef fusee_word seL4_Word;
typedef fusee_word seL4_CPtr;

static inline void seL4_Yield(void)
{
    fusee_yield();
}
