/* Prints what all clients have counted. */
#include <camkes.h>
#include <stdio.h>

#define CLIENTS 3

int run(void)
{
    int sum = 0;
    for (int key = 0; key < CLIENTS; key++) {
        int value = 0;
        store_get(key, &value);
        sum += value;
    }
    printf("jobs %d\n", sum);
    return 0;
}
