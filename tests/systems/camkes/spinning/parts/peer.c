#include <camkes.h>
#include <stdio.h>
#include <adding.h>

int run(void)
{
    for (int i = 0; i < rounds; i++) {
        sync_spinlock_lock(&board->lock);
        board->sum = add(board->sum, STEP);
        sync_spinlock_unlock(&board->lock);
    }
    printf("%d\n", board->sum);
    return 0;
}
