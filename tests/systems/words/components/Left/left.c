#include <camkes.h>

int run(void)
{
    int free;
    char *type;
    static_lock();
    int used = default_switch(2, &free, &type);
    static_unlock();
    *(int *)shared = used + shared_size;
    printf("%d used, %d free, %s\n", used, free, type);
    return 0;
}
