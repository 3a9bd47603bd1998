/* Bubble sort of 50 numbers; the worst input is sorted the other way round. */
int numbers[50];

int prepare(int input)
{
    for (int i = 0; i < 50; i++) numbers[i] = input == 0 ? 50 - i : input == 1 ? i : (i * 37) % 50;
    return input < 3;
}

void run(void)
{
    for (int i = 0; i < 50; i++)
        for (int j = 0; j < 49 - i; j++)
            if (numbers[j] > numbers[j + 1]) {
                int kept = numbers[j];
                numbers[j] = numbers[j + 1];
                numbers[j + 1] = kept;
            }
}
