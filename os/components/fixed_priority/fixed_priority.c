#include <camkes.h>
#include <fusee/ready.h>

static uint64_t urgency(size_t thread)
{
    return fusee_threads[thread].priority;
}

int run(void)
{
    for (;;) {
        fusee_hear();
        fusee_run(fusee_first(urgency), fusee_next_release(look));
    }
}
