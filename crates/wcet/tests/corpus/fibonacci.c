/* Fibonacci numbers by recursion, eight levels deep. */
int number;

int prepare(int input) { return input < 1; }

static __attribute__((noinline)) int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }

void run(void) { number = fibonacci(8); }
