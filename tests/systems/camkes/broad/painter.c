#include <camkes.h>
#include <stdio.h>

#define BYTES 0x1000000
#define STEP 0x100000

int run(void)
{
    char *pixels = (char *)canvas;
    for (size_t at = 0; at < BYTES; at += STEP) {
        pixels[at] = (char)('a' + at / STEP);
    }
    pixels[BYTES - 1] = '.';
    printf("%d bytes\n", BYTES);
    painted_emit();
    return 0;
}
