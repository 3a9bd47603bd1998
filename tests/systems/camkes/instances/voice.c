#include <camkes.h>
#include <stdio.h>
#include "words.h"

#ifdef SHOUT
int volume(void);
#else
static int volume(void)
{
    return VOLUME;
}
#endif

int run(void)
{
    printf("%s at %d\n", WORDS, volume());
    return 0;
}
