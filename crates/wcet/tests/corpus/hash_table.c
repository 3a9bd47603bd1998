/* Twelve insertions into an open hash table of 32 places, each looking at eight places at most. */
unsigned places[32];
unsigned keys[12];
int failed;

int prepare(int input)
{
    for (int i = 0; i < 32; i++) places[i] = 0;
    for (int i = 0; i < 12; i++) keys[i] = input == 0 ? (unsigned)(i + 1) * 32 : (unsigned)(i + 1) * 77;
    return input < 2;
}

static __attribute__((noinline)) int insert(unsigned key)
{
    unsigned at = key & 31;
    for (int tries = 0; tries < 8; tries++) {
        if (!places[at] || places[at] == key) {
            places[at] = key;
            return 1;
        }
        at = (at + 1) & 31;
    }
    return 0;
}

void run(void)
{
    for (int i = 0; i < 12; i++)
        if (!insert(keys[i])) failed++;
}
