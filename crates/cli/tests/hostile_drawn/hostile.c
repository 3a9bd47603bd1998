/* Executes without end, asks the kernel for anything, and faults, in the way that its attributes say. */

#include <camkes.h>
#include <fusee.h>

static uint32_t state;

static uint32_t draw(void)
{
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    return state;
}

/* Any operation with any capability: those that there are, and others. */
static void ask(void)
{
    static const uint8_t often[] = {FUSEE_INVOKE, FUSEE_SIGNAL, FUSEE_INVOKE, FUSEE_SIGNAL, FUSEE_WAIT, FUSEE_POLL};
    uint32_t which = draw() % 32;
    fusee_word operation = which < 24 ? often[which % sizeof(often)] : draw() % 24;
    (void)fusee_operation(operation, draw() % 8);
}

static void fault(void)
{
    switch (draw() % 4) {
    case 0:
        __asm__ volatile(".word 0");
        break;
    case 1:
        __asm__ volatile("ebreak");
        break;
    case 2:
        *(volatile uint32_t *)(uintptr_t)(draw() & ~3u) = 1;
        break;
    default:
        __asm__ volatile(".word 0x30001073"); /* csrw mstatus, zero */
        break;
    }
}

int run(void)
{
    if (state == 0) {
        state = (uint32_t)seed ^ (uint32_t)fusee_now();
    }
    for (uint32_t left = draw() % 2000; left > 0; left--) {
        if (way == 0 || (way > 1 && draw() % 3 == 0)) {
            fusee_compute(8 + draw() % 20000);
        } else {
            ask();
        }
        if (way == 3 && draw() % 64 == 0) {
            fault();
        }
    }
    while (draw() % 4 > 0) {
        fusee_compute(1000000);
    }
    return 0;
}
