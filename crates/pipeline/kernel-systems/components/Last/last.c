/* The deepest level. */
#include <camkes.h>

void up_go(void)
{
    lock_lock();
    lock_unlock();
}

void up_send(size_t length, const uint8_t *data)
{
    (void)length;
    (void)data;
}
