/* The spinlock under its other name. */
#pragma once

#include <platsupport/sync/spinlock.h>
