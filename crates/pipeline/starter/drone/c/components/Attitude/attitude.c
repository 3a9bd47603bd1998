/* Works against each turn: a proportional and integral controller. */
#include <camkes.h>

static int sum;

/* One job: called once for each event `sampled`. */
int run(void)
{
    int error = -state_latest();
    sum += error / 8;
    if (sum > 400) {
        sum = 400;
    } else if (sum < -400) {
        sum = -400;
    }
    motors_set(500 + error * 2 + sum / 4);
    return 0;
}
