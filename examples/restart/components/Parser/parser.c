#include <camkes.h>

static volatile char buffer[64];
static int parsed;

int messages_parse(int claimed)
{
    for (int i = 0; i < claimed; i++) {
        buffer[i] = 1;
    }
    return ++parsed;
}
