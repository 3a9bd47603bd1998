/* A triangular loop nest whose total is far below the product of its bounds. */
unsigned total;

int prepare(int input) { return input < 1; }

void run(void)
{
    unsigned sum = 0;
    for (unsigned i = 0; i < 30; i++)
        for (unsigned j = i; j < 30; j++) {
            __asm__ volatile("" : "+r"(sum));
            sum += j;
        }
    total = sum;
}
