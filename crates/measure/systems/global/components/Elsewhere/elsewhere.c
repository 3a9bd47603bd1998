/* May call every server. */
#include <camkes.h>

int run(void)
{
    msrp_empty();
    mrsp_empty();
    mpcp_empty();
    return 0;
}
