/* Variables of a thread are C's own here: `_Thread_local`. */
#pragma once

#include <sel4/sel4.h>
