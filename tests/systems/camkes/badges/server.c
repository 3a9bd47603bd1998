#include <camkes.h>

int p_who(void)
{
    return (int)p_get_sender_id();
}
