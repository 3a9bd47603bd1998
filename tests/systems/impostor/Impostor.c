#include <camkes.h>
#include <stdio.h>

/* Calls the desk's first method and says that it came through the other end, or through one that is none. */
static int claim(unsigned long end)
{
    register unsigned long a0 __asm__("a0") = 0, a6 __asm__("a6") = end << 24, a7 __asm__("a7") = 0;
    __asm__ volatile("li t0, 0\n\tecall"
                     : "+r"(a0), "+r"(a6), "+r"(a7)
                     :
                     : "ra", "t0", "t1", "t2", "t3", "t4", "t5", "t6", "a1", "a2", "a3", "a4", "a5", "memory");
    return a7 == 0 ? (int)a0 : -1;
}

int run(void)
{
    printf("as it is %d, as the other %d, as nobody %d\n", desk_who(), claim(0), claim(200));
    return 0;
}
