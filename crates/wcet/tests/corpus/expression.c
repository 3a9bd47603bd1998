/* Sums and products of digits, from left to right with two stacks. */
/* fact: run 31 */
char formula[32];
int result;

int prepare(int input)
{
    for (int i = 0; i < 32; i++)
        formula[i] = input == 0 ? "1+2*"[i & 3] : input == 1 ? "3*"[i & 1] : input == 2 ? "7+"[i & 1] : (char)(i == 3 ? 0 : "4-"[i & 1]);
    return input < 4;
}

void run(void)
{
    int numbers[4], top = 0;
    char pending[4];
    int operators = 0;
    for (int i = 0; i < 31; i++) {
        char c = formula[i];
        if (!c) break;
        if (c >= '0' && c <= '9') {
            if (top < 4) numbers[top++] = c - '0';
            continue;
        }
        while (operators > 0 && top > 1 && !(pending[operators - 1] == '+' && c == '*')) {
            char o = pending[--operators];
            top--;
            numbers[top - 1] = o == '*' ? numbers[top - 1] * numbers[top] : o == '+' ? numbers[top - 1] + numbers[top]
                                                                                      : numbers[top - 1] - numbers[top];
        }
        if (operators < 4) pending[operators++] = c;
    }
    result = top > 0 ? numbers[0] : 0;
}
