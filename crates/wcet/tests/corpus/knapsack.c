/* The most valuable load of at most 40, of eight things with known weights. */
/* fact: run 48 */
static const unsigned char weights[8] = {5, 8, 3, 11, 7, 13, 2, 9}, values[8] = {10, 13, 4, 18, 11, 23, 3, 14};
int best;

int prepare(int input) { return input < 1; }

void run(void)
{
    unsigned short value[41];
    for (int i = 0; i <= 40; i++) value[i] = 0;
    for (int k = 0; k < 8; k++)
        for (int room = 40; room >= weights[k]; room--) {
            int with = value[room - weights[k]] + values[k];
            if (with > value[room]) value[room] = (unsigned short)with;
        }
    best = value[40];
}
