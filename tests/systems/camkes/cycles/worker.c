#include <camkes.h>

unsigned int work_sum(unsigned int count)
{
    unsigned int sum = 0;
    for (volatile unsigned int i = 1; i <= count; i++) {
        sum += i;
    }
    return sum;
}
