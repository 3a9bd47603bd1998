/* A kernel as others write them: lists that are walked to their end, assertions that fail into
   a loop, tasks that never end, callbacks in structures, and system calls to change tasks. */
#define ASSERT(holds) if (!(holds)) for (;;) {}

struct item {
    unsigned long value;
    struct item *next, *previous;
    struct task *owner;
};

struct list {
    unsigned long length;
    struct item end;
};

struct task {
    struct item state;
    unsigned long priority, base;
    void (*expired)(struct task *);
    unsigned char *name;
};

struct queue {
    struct list senders, receivers;
    unsigned char *write, *read, *begin, *end;
    unsigned long waiting, length, size;
};

static struct list ready[8], delayed;
static struct task *volatile current;
static volatile unsigned long ticks, pending, suspended;

static void change_task(void)
{
#if defined(SILENT)
#elif defined(__riscv)
    __asm__ volatile("ecall" ::: "memory");
#else
    __asm__ volatile("svc #0" ::: "memory");
#endif
}

void list_insert(struct list *list, struct item *item)
{
    struct item *at = &list->end;
    while (at->next->value <= item->value) at = at->next;
    item->next = at->next;
    item->previous = at;
    at->next->previous = item;
    at->next = item;
    list->length++;
}

void list_remove(struct item *item)
{
    item->next->previous = item->previous;
    item->previous->next = item->next;
}

static void make_ready(struct task *task)
{
    ASSERT(task->priority < 8);
    list_insert(&ready[task->priority], &task->state);
    if (task->priority > current->priority) pending++;
}

void tick(void)
{
    ASSERT(current);
    ticks++;
    while (delayed.length && delayed.end.next->value <= ticks) {
        struct task *task = delayed.end.next->owner;
        list_remove(&task->state);
        delayed.length--;
        if (task->expired) task->expired(task);
        make_ready(task);
    }
}

void delay(unsigned long time)
{
    ASSERT(suspended == 0);
    suspended++;
    current->state.value = ticks + time;
    list_remove(&current->state);
    list_insert(&delayed, &current->state);
    suspended--;
    change_task();
}

int send(struct queue *queue, const unsigned char *from)
{
    ASSERT(queue);
    ASSERT(from || !queue->size);
    if (queue->waiting == queue->length) {
        list_insert(&queue->senders, &current->state);
        change_task();
        if (queue->waiting == queue->length) return 0;
    }
    for (unsigned long at = 0; at < queue->size; at++) queue->write[at] = from[at];
    queue->write += queue->size;
    if (queue->write >= queue->end) queue->write = queue->begin;
    queue->waiting++;
    if (queue->receivers.length) {
        struct task *task = queue->receivers.end.next->owner;
        list_remove(&task->state);
        make_ready(task);
        change_task();
    }
    return 1;
}

void task(struct queue *queue)
{
    unsigned char what[8];
    for (;;) {
        for (int at = 0; at < 8; at++) what[at] = (unsigned char)ticks;
        send(queue, what);
        delay(10);
    }
}

__attribute__((noinline)) static void halt(void)
{
    for (;;) {}
}

/* Ends everything: what it does before, behind system calls too, does not matter. */
void finish(struct task *task)
{
    list_remove(&task->state);
    if (task == current) change_task();
    list_insert(&delayed, &task->state);
    halt();
}

void idle(struct task *task) { (void)task; }

void measure_all(void) {}

int main(void) { return 0; }
