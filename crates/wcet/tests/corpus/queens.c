/* Six queens on a board, by trying columns and going back; the rounds depend on where they fit. */
/* fact: run 1000 */
int counted;

int prepare(int input)
{
    counted = 0;
    return input < 1;
}

void run(void)
{
    signed char column[6];
    int row = 0;
    column[0] = -1;
    while (row >= 0) {
        int c = ++column[row];
        if (c >= 6) {
            row--;
            continue;
        }
        int free = 1;
        for (int i = 0; i < row; i++) {
            int d = c - column[i];
            if (d == 0 || d == row - i || d == i - row) free = 0;
        }
        if (!free) continue;
        if (row == 5)
            counted++;
        else
            column[++row] = -1;
    }
}
