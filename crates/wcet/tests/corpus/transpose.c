/* A square matrix is turned over its diagonal, in place. */
int matrix[12][12];

int prepare(int input)
{
    for (int i = 0; i < 144; i++) matrix[i / 12][i % 12] = i;
    return input < 1;
}

void run(void)
{
    for (int i = 1; i < 12; i++)
        for (int j = 0; j < i; j++) {
            int kept = matrix[i][j];
            matrix[i][j] = matrix[j][i];
            matrix[j][i] = kept;
        }
}
