/* Whoever is inside says so: two at once would be seen. */
#include <camkes.h>
#include <fusee.h>
#include <stdio.h>

static volatile int inside;

static int enter(void)
{
    int failed = m_lock();
    if (failed == 0 && inside != 0) {
        printf("two are inside\n");
    }
    inside = 1;
    return failed;
}

int bus_use(int length)
{
    int failed = enter();
    fusee_compute((uintptr_t)length);
    inside = 0;
    m_unlock();
    return failed;
}

int bus_fail(int length)
{
    int failed = enter();
    fusee_compute((uintptr_t)length);
    *(volatile int *)0 = 1;
    return failed;
}

/* The word, as the linker knows it. */
extern volatile uint32_t __fusee_word_store_m;

int bus_lie(int word)
{
    __fusee_word_store_m = (uint32_t)word;
    return m_lock() + m_unlock();
}
