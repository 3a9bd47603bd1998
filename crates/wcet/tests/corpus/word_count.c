/* Lines, words and the longest word of 60 characters. */
char text[60];
int lines, words, longest;

int prepare(int input)
{
    for (int i = 0; i < 60; i++) text[i] = input == 0 ? "a "[i & 1] : input == 1 ? '\n' : "longer word\n"[i % 12];
    return input < 3;
}

void run(void)
{
    int inside = 0, length = 0;
    lines = words = longest = 0;
    for (int i = 0; i < 60; i++) {
        char c = text[i];
        if (c == '\n') lines++;
        if (c == ' ' || c == '\n') {
            inside = 0;
            continue;
        }
        if (!inside) {
            words++;
            length = 0;
            inside = 1;
        }
        if (++length > longest) longest = length;
    }
}
