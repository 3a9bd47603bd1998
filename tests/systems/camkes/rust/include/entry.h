/* What is written into a ledger. */
#pragma once

#include <stdint.h>

typedef struct {
    int32_t amount;
    uint16_t day;
    char sign;
} entry_t;
