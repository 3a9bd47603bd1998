#include <camkes.h>
#include <camkes/dataport.h>
#include <stdio.h>

int s_sum(dataport_ptr_t pointer, int count)
{
    const int *numbers = dataport_unwrap_ptr(pointer);
    int sum = 0;
    page_acquire();
    for (int i = 0; i < count; i++) {
        sum += numbers[i];
    }
    snprintf((char *)large + 8000, 100, "the sum is %d", sum);
    large_release();
    return sum;
}
