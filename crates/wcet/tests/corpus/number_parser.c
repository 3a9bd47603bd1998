/* A signed decimal number at the start of a text of at most 16 characters. */
char text[16];
int number, valid;

int prepare(int input)
{
    static const char *const texts[] = {"-2147483647    ", "               ", "   +12345678901", "12x", "999999999999999"};
    for (int i = 0; i < 16; i++) text[i] = 0;
    for (int i = 0; texts[input % 5][i]; i++) text[i] = texts[input % 5][i];
    return input < 5;
}

void run(void)
{
    int i = 0, negative = 0;
    while (i < 16 && text[i] == ' ') i++;
    if (i < 16 && (text[i] == '-' || text[i] == '+')) negative = text[i++] == '-';
    unsigned value = 0;
    valid = 0;
    for (; i < 16 && text[i] >= '0' && text[i] <= '9'; i++) {
        if (value > 214748363) break;
        value = value * 10 + (unsigned)(text[i] - '0');
        valid = 1;
    }
    number = negative ? -(int)value : (int)value;
}
