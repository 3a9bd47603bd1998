#include <camkes.h>
#include <stdio.h>

static int done;

static void again(void *argument);

static void listen(void)
{
    int refused = batch_reg_callback(again, &done);
    assert(refused == 0);
}

static void again(void *argument)
{
    tally_lock();
    ++*(int *)argument;
    tally_unlock();
    listen();
    heard_post();
}

void post_init(void)
{
    listen();
}

int run(void)
{
    for (int i = 0; i < batches; i++) {
        heard_wait();
    }
    tally_lock();
    printf("%d batches\n", done);
    tally_unlock();
    return heard_trywait() == 0;
}
