/* A text in a text, place by place; both are read-only. */
static const char text[] = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab";
static const char word[] = "aaab";
int place;

int prepare(int input) { return input < 1; }

static __attribute__((noinline)) int find(const char *in, const char *what)
{
    for (int i = 0; in[i]; i++) {
        int k = 0;
        while (what[k] && in[i + k] == what[k]) k++;
        if (!what[k]) return i;
    }
    return -1;
}

void run(void) { place = find(text, word); }
