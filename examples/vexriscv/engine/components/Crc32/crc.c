#include <camkes.h>

unsigned int checksum_update(unsigned int sum, unsigned int word)
{
    fusee_compute(15000);
    return sum ^ word;
}
