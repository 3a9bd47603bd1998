/* How many copies of each book are there. */
#include "loans.h"

#define BOOKS 3

static int left[BOOKS], all[BOOKS];

static int exists(int number)
{
    return number >= 0 && number < BOOKS;
}

void loans_set(int number, int copies)
{
    if (exists(number)) {
        left[number] = all[number] = copies;
    }
}

int loans_take(int number)
{
    if (!exists(number) || left[number] == 0) {
        return -1;
    }
    left[number]--;
    return number;
}

int loans_left(int number)
{
    return exists(number) ? left[number] : 0;
}

int loans_return(int number)
{
    if (!exists(number) || left[number] == all[number]) {
        return 0;
    }
    left[number]++;
    return 1;
}
