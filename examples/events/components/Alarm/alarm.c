#include <camkes.h>
#include <stdio.h>

static int alarms;

static void on_exceeded(void *unused)
{
    (void)unused;
    printf("alarm %d\n", ++alarms);
    int refused = exceeded_reg_callback(on_exceeded, NULL);
    assert(refused == 0);
}

int run(void)
{
    int refused = exceeded_reg_callback(on_exceeded, NULL);
    assert(refused == 0);
    for (int count = 1;; count++) {
        measured_wait();
        printf("measurement %d%s\n", count, measured_poll() ? ", and one more came meanwhile" : "");
    }
}
