#include <camkes.h>
#include <stdio.h>

#define BYTES 0x1000000
#define STEP 0x100000

int run(void)
{
    painted_wait();
    const char *pixels = (const char *)picture;
    char seen[BYTES / STEP + 2];
    size_t count = 0;
    for (size_t at = 0; at < BYTES; at += STEP) {
        seen[count++] = pixels[at];
    }
    seen[count++] = pixels[BYTES - 1];
    seen[count] = '\0';
    printf("%s\n", seen);
    return 0;
}
