#include <camkes.h>
#include <stdio.h>

void p_say(const char *text)
{
    printf("Server says: %s\n", text);
}
