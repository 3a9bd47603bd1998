/* `pre_init`, `post_init` and each interface's `__init` are declared in <camkes.h>. */
#pragma once
