/* Kinds of words in a read-only text: names, numbers, signs. */
static const char text[] = "let x1 = 42 + y * (7 - z2); print x1";
int names, numbers, signs;

int prepare(int input)
{
    names = numbers = signs = 0;
    return input < 1;
}

static int letter(char c) { return (c >= 'a' && c <= 'z') || c == '_'; }
static int digit(char c) { return c >= '0' && c <= '9'; }

void run(void)
{
    const char *at = text;
    while (*at) {
        if (*at == ' ') {
            at++;
        } else if (letter(*at)) {
            while (letter(*at) || digit(*at)) at++;
            names++;
        } else if (digit(*at)) {
            while (digit(*at)) at++;
            numbers++;
        } else {
            at++;
            signs++;
        }
    }
}
