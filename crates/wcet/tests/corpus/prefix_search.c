/* A text search that never goes back in the text; the failures of the word are a table. */
/* fact: run 100 */
char text[48];
static const char word[] = "ababaca";
static const signed char failure[] = {0, 0, 1, 2, 3, 0, 1};
int place;

int prepare(int input)
{
    for (int i = 0; i < 48; i++) text[i] = input == 0 ? "ab"[i & 1] : input == 1 ? 'a' : "ababaca"[i % 7];
    return input < 3;
}

void run(void)
{
    int matched = 0;
    place = -1;
    for (int i = 0; i < 48; i++) {
        while (matched > 0 && word[matched] != text[i]) matched = failure[matched - 1];
        if (word[matched] == text[i]) matched++;
        if (matched == 7) {
            place = i - 6;
            return;
        }
    }
}
