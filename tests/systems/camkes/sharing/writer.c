#include <camkes.h>
#include <stdio.h>
#include <camkes/dataport.h>

/* Sources that are older than the generated header declare what they use, as it does. */
extern Buf *page;
extern void *large;

int run(void)
{
    extern Buf *page;
    int *numbers = (int *)page + 100;
    for (int i = 0; i < 10; i++) {
        numbers[i] = i;
    }
    page_release();
    printf("%d\n", s_sum(dataport_wrap_ptr(numbers), 10));
    large_acquire();
    printf("%s, %zu and %zu bytes\n", (char *)large + 8000, page_get_size(), large_get_size());
    return 0;
}
