/* How far a text consists of certain characters; the set is read-only. */
static const char vowels[] = "aeiou";
char text[24];
unsigned length;

int prepare(int input)
{
    for (int i = 0; i < 24; i++) text[i] = input == 0 ? 'u' : input == 1 ? 'a' : i == 7 ? 'x' : 'o';
    return input < 3;
}

static int among(const char *set, char c)
{
    for (; *set; set++)
        if (*set == c) return 1;
    return 0;
}

void run(void)
{
    unsigned n = 0;
    while (n < 24 && among(vowels, text[n])) n++;
    length = n;
}
