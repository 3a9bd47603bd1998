/* The shortest paths between all pairs of ten nodes. */
int distance[10][10];

int prepare(int input)
{
    for (int i = 0; i < 10; i++)
        for (int j = 0; j < 10; j++)
            distance[i][j] = i == j ? 0 : input == 0 ? 1000 - 90 * (i < j ? j - i : i - j) : (i * 7 + j * 13) % 50 + 1;
    return input < 2;
}

void run(void)
{
    for (int k = 0; k < 10; k++)
        for (int i = 0; i < 10; i++)
            for (int j = 0; j < 10; j++) {
                int over = distance[i][k] + distance[k][j];
                if (over < distance[i][j]) distance[i][j] = over;
            }
}
