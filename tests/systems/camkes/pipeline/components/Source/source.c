#include <camkes.h>
#include <stdio.h>

int run(void)
{
    volatile ring_t *shared = ring;
    unsigned waits = 0;
    for (int number = 1; number <= numbers; number++) {
        while (shared->written - shared->read == RING_SLOTS) {
            waits++;
            freed_wait();
        }
        shared->slots[shared->written % RING_SLOTS] = (uint32_t)(number * number);
        ring_release();
        shared->written++;
        /* Two at a time. */
        if (number % 2 == 0) {
            filled_emit();
        }
    }
    filled_emit();
    printf("%d sent\n", numbers);
    return (int)waits;
}
