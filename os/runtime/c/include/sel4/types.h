/* A part of <sel4/sel4.h>. */
#pragma once

#include <sel4/sel4.h>
