#include <camkes.h>
#include <stdlib.h>

int p_divide(int number, int by, int *rest)
{
    *rest = number % by;
    return number / by;
}

void p_turn(char **text)
{
    char *start = *text, *end = start + strlen(start);
    while (start < end) {
        char c = *start;
        *start++ = *--end;
        *end = c;
    }
}

void p_squares(size_t numbers_sz, const int *numbers, size_t *squares_sz, int **squares)
{
    *squares = malloc(numbers_sz * sizeof **squares);
    *squares_sz = numbers_sz;
    for (size_t i = 0; i < numbers_sz; i++) {
        (*squares)[i] = numbers[i] * numbers[i];
    }
}

uint64_t p_wide(uint64_t left, uint64_t right)
{
    return left + right;
}

bool p_odd(const int *number)
{
    return *number % 2 != 0;
}
