#pragma once

typedef struct {
    char letter;
    int lines[500];
    long sum;
} page_t;
