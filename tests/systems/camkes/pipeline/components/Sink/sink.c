#include <camkes.h>
#include <stdio.h>

int run(void)
{
    volatile ring_t *shared = ring;
    uint64_t sum = 0;
    for (int taken = 1; taken <= numbers; taken++) {
        while (shared->written == shared->read) {
            filled_wait();
        }
        ring_acquire();
        sum += shared->slots[shared->read % RING_SLOTS];
        shared->read++;
        freed_emit();
        if (taken % batch_size == 0) {
            batch_emit();
        }
    }
    printf("the sum of %d squares is %llu\n", numbers, (unsigned long long)sum);
    return 0;
}
