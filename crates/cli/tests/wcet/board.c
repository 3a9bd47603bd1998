/* A program for the board around the VexRiscv core: calls `work`, then ends. */
int numbers[40];

__attribute__((noinline)) void work(void)
{
    for (int i = 1; i < 40; i++) numbers[i] += 3 * numbers[i - 1] + i;
}

void board(void)
{
    work();
    work();
    *(volatile int *)0xf0020000 = 0x5555;
    for (;;) ;
}

__asm__(".section .text.start\n.globl _start\n_start: la sp, numbers+0x10000\n j board\n"
        ".text\n.balign 64\n.rept 16\nnop\n.endr\n");
