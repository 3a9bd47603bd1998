/* Shell sort with the gaps 7, 3 and 1. */
int numbers[24];

int prepare(int input)
{
    for (int i = 0; i < 24; i++) numbers[i] = input == 0 ? 24 - i : i * 11 % 24;
    return input < 3;
}

void run(void)
{
    static const int gaps[] = {7, 3, 1};
    for (int g = 0; g < 3; g++) {
        int gap = gaps[g];
        for (int i = gap; i < 24; i++) {
            int moving = numbers[i], at = i;
            while (at >= gap && numbers[at - gap] > moving) {
                numbers[at] = numbers[at - gap];
                at -= gap;
            }
            numbers[at] = moving;
        }
    }
}
