/* A kernel of a few lines: a table whose length the start reads from data, a list, a depth, an idle loop. */
#define NONE (-1)

struct thread {
    short next;
    unsigned char depth;
};

extern const unsigned length;
static struct thread threads[8];
static unsigned count;
static short head;
static unsigned long events;

void boot(void) {
    count = length;
    for (unsigned i = 0; i < count; i++) threads[i].next = i + 1 < count ? (short)(i + 1) : NONE;
    head = 0;
}

__attribute__((noinline)) static unsigned long visit_all(void) {
    unsigned long sum = 0;
    for (unsigned i = 0; i < count; i++) sum += threads[i].depth;
    return sum;
}

__attribute__((noinline)) static unsigned long walk_list(void) {
    unsigned long steps = 0;
    for (short at = head; at >= 0 && at < 8; at = threads[at].next) steps += events;
    return steps;
}

__attribute__((noinline)) static unsigned long go_deeper(void) {
    unsigned long sum = 0;
    if (threads[0].depth < 4) threads[0].depth++;
    for (unsigned i = 0; i < threads[0].depth; i++) sum += events;
    head = (short)(sum & 7);
    return sum;
}

/* Copied as one word, decided by as fields. */
struct order {
    unsigned char tag, rounds;
    unsigned short number;
    unsigned extra;
};

static struct order orders[2] = {{1, 3, 7, 0}, {0, 2, 9, 0}};
static struct order current;

__attribute__((noinline)) static void copy_order(unsigned long which) {
    typedef unsigned long __attribute__((may_alias)) whole;
    *(whole *)&current = *(whole *)&orders[which & 1];
}

__attribute__((noinline)) static unsigned long follow_order(void) {
    unsigned long sum = 0;
    orders[0].extra = (unsigned)events;
    orders[1].rounds = current.tag ? 5 : 4;
    copy_order(events);
    for (unsigned i = 0; i < current.rounds; i++) sum += events;
    return sum;
}

unsigned long handle(unsigned long operation) {
    switch (operation) {
    case 0: return visit_all();
    case 1: return walk_list();
    case 2: return go_deeper();
    case 3: return follow_order();
    default: __builtin_trap();
    }
}

void idle(void) {
    for (;;) {
        unsigned long pending;
        __asm__ volatile("wfi");
        __asm__ volatile(".option push\n.option arch, +zicsr\ncsrr %0, mip\n.option pop" : "=r"(pending));
        if (pending & 0x80) return;
        events += visit_all();
    }
}
