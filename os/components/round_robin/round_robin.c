#include <camkes.h>
#include <fusee/ready.h>

/* All are as urgent: turns decide. */
static uint64_t urgency(size_t thread)
{
    (void)thread;
    return 0;
}

int run(void)
{
    for (;;) {
        fusee_hear();
        size_t first = fusee_first(urgency);
        fusee_to_back(first);
        fusee_run(first, fusee_now() + quantum);
    }
}
