/* A job: into all gates with a message, out again, and a signal. */
#include <camkes.h>

int run(void)
{
    uint8_t data[64] = {0};
    lock_lock();
    lock_unlock();
    deep_go();
    deep_send(sizeof(data), data);
    ping_emit();
    return 0;
}
