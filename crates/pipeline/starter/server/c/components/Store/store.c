/* Keeps a number for each key. Only one thread is inside at a time. */
#include <camkes.h>

#define KEYS 16

static int numbers[KEYS];

int numbers_put(int key, int value)
{
    if (key < 0 || key >= KEYS) {
        return -1;
    }
    numbers[key] = value;
    return 0;
}

int numbers_get(int key, int *value)
{
    if (key < 0 || key >= KEYS) {
        return -1;
    }
    *value = numbers[key];
    return 0;
}
