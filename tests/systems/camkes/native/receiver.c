#include <camkes.h>
#include <stdio.h>
#include <sel4/sel4.h>
#include <sync/bin_sem.h>
#include <sync/mutex.h>

int run(void)
{
    seL4_Word badge = 0;
    seL4_Poll(ready_notification(), &badge);
    printf("polled: %d\n", (int)badge);
    seL4_Wait(ready_notification(), &badge);
    printf("waited: %d\n", badge != 0);
    seL4_CPtr done = done_notification();
    seL4_Wait(done, NULL);
    sync_mutex_t mutex;
    printf("%d", sync_mutex_init(&mutex, done));
    printf(" %d", sync_mutex_lock(&mutex));
    printf(" %d\n", sync_mutex_unlock(&mutex));
    seL4_MessageInfo_t info = seL4_MessageInfo_new(5, 0, 0, 3);
    printf("%d %d\n", (int)seL4_MessageInfo_get_label(info), (int)seL4_MessageInfo_get_length(info));
    seL4_DebugPutString("end");
    seL4_DebugPutChar('\n');
    return 0;
}
