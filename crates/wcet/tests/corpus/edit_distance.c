/* The edit distance of two words of twelve letters. */
char left[12], right[12];
int distance;

int prepare(int input)
{
    for (int i = 0; i < 12; i++) {
        left[i] = (char)('a' + i);
        right[i] = (char)('a' + (input == 0 ? 11 - i : input == 1 ? i : i + 20));
    }
    return input < 3;
}

void run(void)
{
    unsigned char row[13];
    for (int j = 0; j <= 12; j++) row[j] = (unsigned char)j;
    for (int i = 1; i <= 12; i++) {
        int corner = row[0];
        row[0] = (unsigned char)i;
        for (int j = 1; j <= 12; j++) {
            int best = corner + (left[i - 1] != right[j - 1]);
            if (row[j] + 1 < best) best = row[j] + 1;
            if (row[j - 1] + 1 < best) best = row[j - 1] + 1;
            corner = row[j];
            row[j] = (unsigned char)best;
        }
    }
    distance = row[12];
}
