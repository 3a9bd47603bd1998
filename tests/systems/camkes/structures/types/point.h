#pragma once

typedef struct {
    int x, y;
    char label[12];
} point_t;
