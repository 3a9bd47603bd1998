/* A search from the front, with the sought number put behind the end as a guard. */
int table[65];
int wanted, place;

int prepare(int input)
{
    for (int i = 0; i < 64; i++) table[i] = i * 3;
    wanted = input * 63;
    return input < 5;
}

void run(void)
{
    int i;
    for (i = 0; i < 64; i++)
        if (table[i] == wanted) break;
    place = i < 64 ? i : -1;
}
