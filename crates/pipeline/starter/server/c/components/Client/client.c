/* Counts, tells the store, and notes what its neighbor has counted. */
#include <camkes.h>

#define CLIENTS 3

static int count;

/* One job: called once in every period. `key` is an attribute, another one for each client. */
int run(void)
{
    int seen = 0;
    count++;
    store_put(key, count);
    store_get((key + 1) % CLIENTS, &seen);
    journal_note(key, seen);
    return 0;
}
