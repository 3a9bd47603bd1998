#include <camkes.h>

static int jobs;

int run(void)
{
    fusee_compute(20000);
    measured_emit();
    if (++jobs % 3 == 0) {
        exceeded_emit();
    }
    return 0;
}
