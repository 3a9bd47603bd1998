#include <camkes.h>
#include <stdio.h>

int run(void)
{
    if (log_note) {
        log_note(get_instance_name());
    }
    printf("%s%s\n", log_note ? "noted" : "alone", stop_wait ? ", can be stopped" : "");
    return 0;
}
