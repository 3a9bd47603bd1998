#pragma once

#include <platsupport/sync/spinlock.h>

typedef struct {
    sync_spinlock_t lock;
    int sum;
} board_t;
