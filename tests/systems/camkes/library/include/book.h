#pragma once

typedef struct book {
    int number;
    int copies;
    char initial;
} book_t;
