/* A part of <utils/util.h>. */
#pragma once

#include <utils/util.h>
