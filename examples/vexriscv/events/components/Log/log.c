#include <camkes.h>
#include <stdio.h>

static unsigned alarms;

static void on_exceeded(void *unused)
{
    (void)unused;
    printf("alarm %u\n", ++alarms);
    int refused = exceeded_reg_callback(on_exceeded, NULL);
    assert(refused == 0);
}

/* Before any job: a job that registers asks the kernel for what is not in its `calls`. */
void post_init(void)
{
    int refused = exceeded_reg_callback(on_exceeded, NULL);
    assert(refused == 0);
}

int run(void)
{
    fusee_compute(10000);
    return 0;
}
