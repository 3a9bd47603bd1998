/* A level between others. */
#include <camkes.h>

void up_go(void)
{
    lock_lock();
    down_go();
    lock_unlock();
}

void up_send(size_t length, const uint8_t *data)
{
    down_send(length, data);
}
