/* A search tree of 15 nodes in an array; what is below node i is at 2i+1 and 2i+2. */
int keys[15];
int wanted, place;

int prepare(int input)
{
    static const unsigned char sorted[15] = {7, 3, 11, 1, 5, 9, 13, 0, 2, 4, 6, 8, 10, 12, 14};
    for (int i = 0; i < 15; i++) keys[i] = sorted[i] * 2;
    wanted = input;
    return input < 30;
}

void run(void)
{
    unsigned at = 0;
    place = -1;
    while (at < 15) {
        if (keys[at] == wanted) {
            place = (int)at;
            return;
        }
        at = 2 * at + (wanted < keys[at] ? 1 : 2);
    }
}
