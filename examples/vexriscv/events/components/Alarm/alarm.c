#include <camkes.h>

static unsigned judged;

/* One job. In a function of its own, so that nothing is kept in registers over the wait. */
static __attribute__((noinline)) void judge(void)
{
    judged++;
    fusee_compute(30000);
    judged_emit();
}

int run(void)
{
    while (1) {
        measured_wait();
        judge();
    }
}
