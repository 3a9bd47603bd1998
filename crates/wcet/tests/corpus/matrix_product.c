/* Product of two 20 x 20 matrices. */
int a[20][20], b[20][20], c[20][20];

int prepare(int input)
{
    for (int i = 0; i < 20; i++)
        for (int j = 0; j < 20; j++) a[i][j] = b[j][i] = i * j + input;
    return input < 2;
}

void run(void)
{
    for (int i = 0; i < 20; i++)
        for (int j = 0; j < 20; j++) {
            int sum = 0;
            for (int k = 0; k < 20; k++) sum += a[i][k] * b[k][j];
            c[i][j] = sum;
        }
}
