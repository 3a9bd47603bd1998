#include <camkes.h>

int run(void)
{
    int answer = store_put(1);
    return answer + 1;
}
