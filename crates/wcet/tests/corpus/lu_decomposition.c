/* LU decomposition in fixed point, with 16 bits behind the point. */
int matrix[8][8];

int prepare(int input)
{
    for (int i = 0; i < 8; i++)
        for (int j = 0; j < 8; j++) matrix[i][j] = i == j ? 10 << 16 : (i * 3 + j + input) << 12;
    return input < 2;
}

static int product(int a, int b) { return (a >> 8) * (b >> 8); }

void run(void)
{
    for (int k = 0; k < 8; k++) {
        int pivot = matrix[k][k] >> 8;
        if (pivot == 0) pivot = 1;
        for (int i = k + 1; i < 8; i++) {
            int factor = (matrix[i][k] / pivot) << 8;
            matrix[i][k] = factor;
            for (int j = k + 1; j < 8; j++) matrix[i][j] -= product(factor, matrix[k][j]);
        }
    }
}
