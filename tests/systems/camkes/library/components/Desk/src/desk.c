#include <camkes.h>
#include "loans.h"

void lending__init(void)
{
    for (int number = 0; number < (int)(sizeof copies / sizeof copies[0]); number++) {
        loans_set(number, copies[number]);
    }
}

int lending_lend(const char *title)
{
    return loans_take(catalogue_find(title));
}

void lending_describe(const char *title, book_t *book)
{
    book->number = catalogue_find(title);
    book->copies = loans_left(book->number);
    book->initial = catalogue_first_letter(book->number);
}

int lending_give_back(size_t numbers_sz, const int *numbers)
{
    int taken = 0;
    for (size_t i = 0; i < numbers_sz; i++) {
        taken += loans_return(numbers[i]);
    }
    return taken;
}

char *lending_slogan(void)
{
    return strdup(slogan);
}
