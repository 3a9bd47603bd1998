/* A line of text is split into at most eight numbers between commas. */
char line[40];
int values[8];
int counted;

int prepare(int input)
{
    for (int i = 0; i < 40; i++) line[i] = input == 0 ? '9' : input == 1 ? ',' : "12,"[i % 3];
    line[39] = input == 3 ? 0 : line[39];
    return input < 4;
}

void run(void)
{
    int i = 0, n = 0;
    while (i < 40 && n < 8) {
        int value = 0;
        while (i < 40 && line[i] != ',' && line[i] != 0) value = value * 10 + (line[i++] - '0');
        values[n++] = value;
        if (i >= 40 || line[i] == 0) break;
        i++;
    }
    counted = n;
}
