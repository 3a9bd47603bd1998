#include <camkes.h>

static int values[16];

int storage_read(int key, int *value)
{
    fusee_compute(30000);
    *value = values[key & 15];
    return (int)checksum_update(0, (unsigned)key);
}

int storage_write(int key, int value)
{
    fusee_compute(200000);
    values[key & 15] = value;
    *(volatile uint32_t *)((volatile char *)flash + 12) = (uint32_t)value;
    return (int)checksum_update((unsigned)key, (unsigned)value);
}
