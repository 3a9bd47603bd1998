/* Structs that travel between components. */
#pragma once

#include <stdint.h>

typedef struct {
    int32_t x;
    int32_t y;
} point_t;

typedef struct {
    char name;
    point_t from;
    int64_t width;
    uint16_t height;
} rectangle_t;
