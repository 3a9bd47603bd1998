#include <camkes.h>

static const char *const titles[] = {"Emma", "Persuasion", "Walden"};

#define TITLES ((int)(sizeof titles / sizeof titles[0]))

int catalogue_find(const char *title)
{
    for (int number = 0; number < TITLES; number++) {
        if (strcmp(titles[number], title) == 0) {
            return number;
        }
    }
    return -1;
}

char catalogue_first_letter(int number)
{
    return number >= 0 && number < TITLES ? titles[number][0] : '?';
}
