/* Insertion sort of 40 numbers; sorted the other way round is worst. */
int numbers[40];

int prepare(int input)
{
    for (int i = 0; i < 40; i++) numbers[i] = input == 0 ? 40 - i : i * 17 % 40;
    return input < 2;
}

void run(void)
{
    for (int i = 1; i < 40; i++) {
        int taken = numbers[i];
        int j = i;
        while (j > 0 && numbers[j - 1] > taken) {
            numbers[j] = numbers[j - 1];
            j--;
        }
        numbers[j] = taken;
    }
}
