/* Comes and goes. */
#include <camkes.h>
#include "measure.h"

int run(void)
{
    disturb();
    section_touch();
    return 0;
}
