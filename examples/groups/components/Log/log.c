#include <camkes.h>
#include <stdio.h>

void log_note(const char *what, int value)
{
    printf("%s: %d\n", what, value);
}
