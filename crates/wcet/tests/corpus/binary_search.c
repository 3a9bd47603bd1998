/* Binary search in a table of 100 numbers; what is not there takes longest. */
int table[100];
int wanted;
int place;

int prepare(int input)
{
    for (int i = 0; i < 100; i++) table[i] = 2 * i;
    wanted = input - 1;
    return input < 203;
}

void run(void)
{
    int low = 0, high = 99;
    place = -1;
    while (low <= high) {
        int middle = (low + high) / 2;
        if (table[middle] == wanted) {
            place = middle;
            return;
        }
        if (table[middle] < wanted)
            low = middle + 1;
        else
            high = middle - 1;
    }
}
