#include <camkes.h>

int run(void)
{
    int id;
    uint64_t data;
    fusee_compute(15000);
    can_receive(&id, &data);
    received_acknowledge();
    *(volatile int *)inbox = id;
    fusee_compute(60000);
    return 0;
}
