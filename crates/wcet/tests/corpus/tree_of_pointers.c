/* A search tree of pointers in writable memory, at most five levels deep. */
/* fact: find 6 */
struct node {
    struct node *below[2];
    int key;
};
struct node nodes[31];
struct node *root;
int wanted, found;

int prepare(int input)
{
    for (int i = 0; i < 31; i++) {
        nodes[i].below[0] = i < 15 ? &nodes[2 * i + 1] : 0;
        nodes[i].below[1] = i < 15 ? &nodes[2 * i + 2] : 0;
        nodes[i].key = i * 3;
    }
    root = nodes;
    wanted = input * 100 - 50;
    return input < 3;
}

static __attribute__((noinline)) int find(const struct node *at, int key)
{
    while (at) {
        if (at->key == key) return 1;
        at = at->below[key > at->key];
    }
    return 0;
}

void run(void) { found = find(root, wanted); }
