#include <camkes.h>
#include <stdio.h>
void log_note(const char *text)
{
    printf("note: %s\n", text);
}
