/* Selection sort: a triangular nest that always takes all its rounds. */
int numbers[20];

int prepare(int input)
{
    for (int i = 0; i < 20; i++) numbers[i] = input == 0 ? 20 - i : i * 7 % 20;
    return input < 2;
}

void run(void)
{
    for (int i = 0; i < 19; i++) {
        int least = i;
        for (int j = i + 1; j < 20; j++)
            if (numbers[j] < numbers[least]) least = j;
        int kept = numbers[i];
        numbers[i] = numbers[least];
        numbers[least] = kept;
    }
}
