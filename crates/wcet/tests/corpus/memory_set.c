/* Bytes until aligned, words, the bytes that are left; for several places and lengths. */
/* fact: fill 16 */
unsigned char memory[128] __attribute__((aligned(16)));
unsigned length;

int prepare(int input)
{
    length = (unsigned)input * 9;
    return input < 12;
}

static __attribute__((noinline)) void fill(unsigned char *at, unsigned char byte, unsigned count)
{
    while (count > 0 && ((unsigned long)at & 3)) {
        *at++ = byte;
        count--;
    }
    unsigned word = byte * 0x01010101u;
    for (; count >= 4; count -= 4) {
        *(unsigned *)at = word;
        at += 4;
    }
    while (count > 0) {
        *at++ = byte;
        count--;
    }
}

void run(void)
{
    fill(memory + 1, 7, 50);
    fill(memory + 3, 9, length & 63);
}
