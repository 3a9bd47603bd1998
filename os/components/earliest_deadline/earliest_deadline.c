#include <camkes.h>
#include <fusee/ready.h>

static uint64_t urgency(size_t thread)
{
    return fusee_heard[thread].released + fusee_threads[thread].deadline;
}

int run(void)
{
    for (;;) {
        fusee_hear();
        fusee_run(fusee_first(urgency), fusee_next_release(look));
    }
}
