#include <camkes.h>
#include <stdio.h>

#define FRAME 1024

static int number;

int run(void)
{
    unsigned char *frame = (unsigned char *)frames + number % 8 * FRAME;
    number++;
    for (int i = 0; i < FRAME; i++) {
        frame[i] = (unsigned char)number;
    }
    frames_release();
    int sum = screen_show(dataport_wrap_ptr(frame), FRAME);
    if (sum != FRAME * number) {
        printf("frame %d: the screen saw %d\n", number, sum);
    }
    return 0;
}
