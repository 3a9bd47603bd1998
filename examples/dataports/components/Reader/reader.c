#include <camkes.h>
#include <stdio.h>

int screen_show(dataport_ptr_t frame, int bytes)
{
    const unsigned char *start = dataport_unwrap_ptr(frame);
    if (start == NULL || bytes < 0 || start + bytes > (const unsigned char *)frames + frames_size) {
        printf("that is no frame\n");
        return -1;
    }
    frames_acquire();
    int sum = 0;
    for (int i = 0; i < bytes; i++) {
        sum += start[i];
    }
    printf("a frame of sum %d\n", sum);
    return sum;
}
