/* The shortest paths from one of eight nodes: the nearest open one is settled, eight times. */
static const unsigned char edges[8][8] = {
    {0, 4, 0, 0, 0, 0, 9, 8}, {4, 0, 8, 0, 0, 0, 0, 11}, {0, 8, 0, 7, 0, 4, 0, 0}, {0, 0, 7, 0, 9, 14, 0, 0},
    {0, 0, 0, 9, 0, 10, 0, 0}, {0, 0, 4, 14, 10, 0, 2, 0}, {9, 0, 0, 0, 0, 2, 0, 1}, {8, 11, 0, 0, 0, 0, 1, 0},
};
int start;
int distance[8];

int prepare(int input)
{
    start = input;
    return input < 8;
}

void run(void)
{
    unsigned char settled[8];
    for (int i = 0; i < 8; i++) {
        distance[i] = 10000;
        settled[i] = 0;
    }
    distance[start & 7] = 0;
    for (int round = 0; round < 8; round++) {
        int nearest = -1;
        for (int i = 0; i < 8; i++)
            if (!settled[i] && (nearest < 0 || distance[i] < distance[nearest])) nearest = i;
        if (nearest < 0) return;
        settled[nearest] = 1;
        for (int i = 0; i < 8; i++)
            if (edges[nearest][i] && distance[nearest] + edges[nearest][i] < distance[i])
                distance[i] = distance[nearest] + edges[nearest][i];
    }
}
