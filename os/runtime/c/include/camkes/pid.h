/* Components as processes: getpid() and getppid() are declared in <camkes.h>. */
#pragma once

#include <sys/types.h>
