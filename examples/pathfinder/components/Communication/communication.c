#include <camkes.h>
#include <string.h>

/* Talks to the Earth: up in short sessions, down in long ones. */
int run(void)
{
    bool up = strcmp(get_instance_name(), "uplink") == 0;
    fusee_compute((up ? 20000000 : 70000000) - 1000);
    return 0;
}
